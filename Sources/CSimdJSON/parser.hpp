// The parser behind the C face, and its steps after simdjson's own.
#ifndef PARSER_HPP
#define PARSER_HPP

#include "CSimdJSON.h"

#include <cstdlib>
#include <memory>
#include <simdjson.h>

struct free_memory {
    void operator()(void *memory) const noexcept { std::free(memory); }
};

/// Memory of malloc's, left as it comes: pages that are never used cost nothing.
template <typename Element>
using buffer = std::unique_ptr<Element[], free_memory>;

template <typename Element>
buffer<Element> allocate_buffer(size_t count) noexcept {
    return buffer<Element>(static_cast<Element *>(std::malloc(count * sizeof(Element))));
}

/// A container that is not closed yet.
struct open_container {
    ration_json_node *node;
    uint64_t marks[2];  // of an object's keys so far
    bool may_repeat;    // whether a mark came twice
};

struct ration_json_parser {
    uint32_t maximum_depth;
    uint32_t maximum_values;
    simdjson::dom::parser simd;
    buffer<uint8_t> copy;                      // texts that came without padding
    size_t copy_capacity = 0;
    buffer<ration_json_node> nodes;
    buffer<const ration_json_node *> members;  // room to sort the members of one object
    size_t node_capacity = 0;
    buffer<open_container> open;               // the containers around the current value, maximum_depth of them
};

/// What flattening found: the code, and for a duplicate key the number of the value whose key repeats, in document order.
struct flattening {
    ration_json_code code;
    uint32_t value;
};

/// Turns simdjson's tape into `parser.nodes`, and checks depth, number of values, integers and repeated keys.
flattening flatten(ration_json_parser &parser) noexcept;

/// A member of `object` whose key stands earlier in it too, or NULL. `members` has room for all of them.
const ration_json_node *find_duplicate(const ration_json_node *object, const ration_json_node **members) noexcept;

#endif
