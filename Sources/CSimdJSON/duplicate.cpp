#include <algorithm>
#include <cstring>

#include "parser.hpp"

namespace {

constexpr uint32_t few_members = 16;

bool have_same_key(const ration_json_node *one, const ration_json_node *other) noexcept {
    return one->key_length == other->key_length && std::memcmp(one->key, other->key, one->key_length) == 0;
}

// Any total order will do; the length first saves most comparisons of bytes. Equal keys keep the order of the text.
bool precedes(const ration_json_node *one, const ration_json_node *other) noexcept {
    if (one->key_length != other->key_length) return one->key_length < other->key_length;
    const int order = std::memcmp(one->key, other->key, one->key_length);
    return order != 0 ? order < 0 : one < other;
}

const ration_json_node *find_among_few(const ration_json_node *object) noexcept {
    const ration_json_node *end = object + object->span;
    const ration_json_node *first = object + 1;
    for (const ration_json_node *member = first; member != end; member += member->span) {
        for (const ration_json_node *earlier = first; earlier != member; earlier += earlier->span) {
            if (have_same_key(earlier, member)) return member;
        }
    }
    return nullptr;
}

}  // namespace

const ration_json_node *find_duplicate(const ration_json_node *object, const ration_json_node **members) noexcept {
    if (object->length <= few_members) return find_among_few(object);
    const ration_json_node **end = members;
    for (const ration_json_node *member = object + 1; member != object + object->span; member += member->span) {
        *end++ = member;
    }
    std::sort(members, end, precedes);
    const ration_json_node **found = std::adjacent_find(members, end, have_same_key);
    return found == end ? nullptr : found[1];
}
