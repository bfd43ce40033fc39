#include <algorithm>
#include <cstring>

#include "parser.hpp"

namespace {

// One word of simdjson's tape: a type in the highest byte, a payload in the others. The payload of a string is its place
// in the string buffer, where 4 bytes of length come first; the payload of the first word is the length of the tape;
// a number's value is in the word after.
constexpr uint64_t payload_mask = (uint64_t(1) << 56) - 1;

// A number that says a little of a key: keys with unequal marks are unequal. simdjson ends a key with a zero byte, so that
// the first byte can be read of an empty one too.
uint32_t mark(const uint8_t *key, uint32_t length) noexcept {
    const uint32_t last = length == 0 ? 0 : length - 1;
    return (key[0] | key[length / 2] << 8 | key[last] << 16 | length << 24) * 0x9E3779B1u;
}

// Remembers the marks of an object's keys in two words, as a Bloom filter does: most objects need no other check.
void remember(uint32_t mark, open_container &object) noexcept {
    const uint64_t first = uint64_t(1) << (mark >> 26);
    const uint64_t second = uint64_t(1) << (mark >> 20 & 63);
    object.may_repeat |= (object.marks[0] & first) != 0 && (object.marks[1] & second) != 0;
    object.marks[0] |= first;
    object.marks[1] |= second;
}

class flattener {
   public:
    explicit flattener(ration_json_parser &parser) noexcept
        : parser_(parser),
          word_(parser.simd.doc.tape.get()),
          strings_(parser.simd.doc.string_buf.get()),
          first_(parser.nodes.get()),
          next_(first_) {}

    flattening run() noexcept {
        word_++;  // the root
        do {
            const char type = static_cast<char>(*word_ >> 56);
            const ration_json_code code = (type == '}' || type == ']') ? close() : add();
            if (code != RATION_JSON_OK) return {code, duplicate_};
        } while (depth_ > 0);
        return {RATION_JSON_OK, 0};
    }

   private:
    ration_json_code add() noexcept {
        if (static_cast<uint32_t>(next_ - first_) == parser_.maximum_values) return RATION_JSON_TOO_MANY_VALUES;
        ration_json_node *node = next_++;
        node->key = nullptr;
        node->key_length = 0;
        node->span = 1;
        node->length = 0;
        if (depth_ > 0) {
            open_container &parent = parser_.open[depth_ - 1];
            parent.node->length++;
            if (parent.node->kind == RATION_JSON_OBJECT) {
                node->key = string(*word_++, node->key_length);
                remember(mark(node->key, node->key_length), parent);
            }
        }
        return read(*word_++, node);
    }

    ration_json_code read(uint64_t word, ration_json_node *node) noexcept {
        switch (static_cast<char>(word >> 56)) {
            case '"':
                node->kind = RATION_JSON_STRING;
                node->value.string = string(word, node->length);
                return RATION_JSON_OK;
            case 'l':
                node->kind = RATION_JSON_INTEGER;
                std::memcpy(&node->value.integer, word_++, sizeof(int64_t));
                return RATION_JSON_OK;
            case 'd':
                node->kind = RATION_JSON_DOUBLE;
                std::memcpy(&node->value.number, word_++, sizeof(double));
                return RATION_JSON_OK;
            case 'u': return RATION_JSON_NUMBER_RANGE;
            case 't':
            case 'f':
                node->kind = RATION_JSON_BOOL;
                node->value.boolean = static_cast<char>(word >> 56) == 't';
                return RATION_JSON_OK;
            case '{': return open(RATION_JSON_OBJECT, node);
            case '[': return open(RATION_JSON_ARRAY, node);
            default: node->kind = RATION_JSON_NULL; return RATION_JSON_OK;
        }
    }

    ration_json_code open(ration_json_kind kind, ration_json_node *node) noexcept {
        node->kind = kind;
        if (depth_ == parser_.maximum_depth) return RATION_JSON_TOO_DEEP;
        parser_.open[depth_++] = {node, {0, 0}, false};
        return RATION_JSON_OK;
    }

    ration_json_code close() noexcept {
        word_++;
        const open_container &closed = parser_.open[--depth_];
        closed.node->span = static_cast<uint32_t>(next_ - closed.node);
        if (!closed.may_repeat) return RATION_JSON_OK;
        const ration_json_node *duplicate = find_duplicate(closed.node, parser_.members.get());
        if (!duplicate) return RATION_JSON_OK;
        duplicate_ = static_cast<uint32_t>(duplicate - first_);
        return RATION_JSON_DUPLICATE_KEY;
    }

    const uint8_t *string(uint64_t word, uint32_t &length) const noexcept {
        const uint8_t *entry = strings_ + (word & payload_mask);
        std::memcpy(&length, entry, sizeof(uint32_t));
        return entry + sizeof(uint32_t);
    }

    ration_json_parser &parser_;
    const uint64_t *word_;
    const uint8_t *strings_;
    ration_json_node *first_;
    ration_json_node *next_;
    uint32_t depth_ = 0;
    uint32_t duplicate_ = 0;
};

// Every value has at least one word of the tape, so that nodes beyond its length are never written.
bool reserve_nodes(ration_json_parser &parser) noexcept {
    const size_t words = parser.simd.doc.tape[0] & payload_mask;
    const size_t needed = std::min<size_t>(words, parser.maximum_values);
    if (parser.node_capacity >= needed && parser.nodes) return true;
    const size_t capacity = std::max<size_t>(needed * 2, 256);
    parser.node_capacity = 0;
    parser.nodes = allocate_buffer<ration_json_node>(capacity);
    parser.members = allocate_buffer<const ration_json_node *>(capacity);
    if (!parser.nodes || !parser.members) return false;
    parser.node_capacity = capacity;
    return true;
}

}  // namespace

flattening flatten(ration_json_parser &parser) noexcept {
    if (!reserve_nodes(parser)) return {RATION_JSON_OUT_OF_MEMORY, 0};
    return flattener(parser).run();
}
