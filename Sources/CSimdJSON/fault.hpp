// Where a refused text is at fault. simdjson does not say, so these read the text again, byte by byte.
#ifndef FAULT_HPP
#define FAULT_HPP

#include "CSimdJSON.h"

struct fault {
    ration_json_code code;
    size_t offset;
};

/// The first fault of the text, repeated keys aside; RATION_JSON_OK if there is none.
fault find_fault(const uint8_t *text, size_t length, uint32_t maximum_depth, uint32_t maximum_values) noexcept;

/// The offset of the key of a value, which is a member of an object, by the value's number in document order.
size_t find_key(const uint8_t *text, size_t length, uint32_t value) noexcept;

#endif
