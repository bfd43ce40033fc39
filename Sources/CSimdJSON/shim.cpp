#include "CSimdJSON.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <new>

#include "fault.hpp"
#include "parser.hpp"

namespace {

constexpr size_t smallest_capacity = 4096;
constexpr size_t largest_text = std::numeric_limits<uint32_t>::max() / 2;

ration_json_result refused(ration_json_code code, size_t offset = RATION_JSON_NO_OFFSET) noexcept {
    return {nullptr, offset, code};
}

// Doubled, so that texts that grow slowly do not allocate each time.
size_t capacity_for(size_t length) noexcept {
    size_t capacity = smallest_capacity;
    while (capacity < length) capacity *= 2;
    return capacity;
}

// simdjson's own limit only bounds its stack: empty containers pass it, so the exact check is in flatten().
bool reserve(ration_json_parser &parser, size_t length) noexcept {
    if (parser.simd.capacity() >= length && parser.simd.capacity() > 0) return true;
    const size_t capacity = capacity_for(length);
    return parser.simd.allocate(capacity, parser.maximum_depth + 2) == simdjson::SUCCESS
        && parser.simd.doc.allocate(capacity) == simdjson::SUCCESS;
}

const uint8_t *padded_copy(ration_json_parser &parser, const uint8_t *text, size_t length) noexcept {
    if (parser.copy_capacity < length || !parser.copy) {
        const size_t capacity = capacity_for(length);
        parser.copy_capacity = 0;
        parser.copy = allocate_buffer<uint8_t>(capacity + simdjson::SIMDJSON_PADDING);
        if (!parser.copy) return nullptr;
        parser.copy_capacity = capacity;
    }
    std::memcpy(parser.copy.get(), text, length);
    std::memset(parser.copy.get() + length, ' ', simdjson::SIMDJSON_PADDING);
    return parser.copy.get();
}

ration_json_result explain(
    const ration_json_parser &parser, ration_json_code code, const uint8_t *text, size_t length) noexcept {
    const fault found = find_fault(text, length, parser.maximum_depth, parser.maximum_values);
    return found.code == RATION_JSON_OK ? refused(code) : refused(found.code, found.offset);
}

}  // namespace

extern "C" ration_json_parser *ration_json_parser_create(uint32_t maximum_depth, uint32_t maximum_values) {
    std::unique_ptr<ration_json_parser> parser(new (std::nothrow) ration_json_parser);
    if (!parser) return nullptr;
    parser->maximum_depth = std::clamp(maximum_depth, 1u, 1024u);
    parser->maximum_values = maximum_values;
    parser->open = allocate_buffer<open_container>(parser->maximum_depth);
    return parser->open ? parser.release() : nullptr;
}

extern "C" void ration_json_parser_destroy(ration_json_parser *parser) { delete parser; }

extern "C" ration_json_result ration_json_parse(
    ration_json_parser *parser, const uint8_t *text, size_t length, bool is_padded) {
    static_assert(simdjson::SIMDJSON_PADDING <= 64, "the header promises that 64 bytes are enough");
    if (length > largest_text) return refused(RATION_JSON_TOO_LARGE);
    if (length == 0) return refused(RATION_JSON_EMPTY, 0);
    if (!reserve(*parser, length)) return refused(RATION_JSON_OUT_OF_MEMORY);
    const uint8_t *input = is_padded ? text : padded_copy(*parser, text, length);
    if (!input) return refused(RATION_JSON_OUT_OF_MEMORY);

    const simdjson::error_code error = parser->simd.parse(input, length, false).error();
    if (error == simdjson::MEMALLOC) return refused(RATION_JSON_OUT_OF_MEMORY);
    if (error) return explain(*parser, RATION_JSON_MALFORMED, input, length);

    const flattening flattened = flatten(*parser);
    switch (flattened.code) {
        case RATION_JSON_OK: return {parser->nodes.get(), RATION_JSON_NO_OFFSET, RATION_JSON_OK};
        case RATION_JSON_OUT_OF_MEMORY: return refused(flattened.code);
        case RATION_JSON_DUPLICATE_KEY: return refused(flattened.code, find_key(input, length, flattened.value));
        default: return explain(*parser, flattened.code, input, length);
    }
}

extern "C" size_t ration_json_format_double(double value, uint8_t *output) {
    char *begin = reinterpret_cast<char *>(output);
    return static_cast<size_t>(std::to_chars(begin, begin + RATION_JSON_DOUBLE_LENGTH, value).ptr - begin);
}
