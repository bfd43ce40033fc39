// A C face of simdjson's DOM parser: one call parses one JSON text and flattens it into an array of nodes.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a node is. The numbers are stable within one build only.
typedef enum ration_json_kind : uint8_t {
    RATION_JSON_NULL = 0,
    RATION_JSON_BOOL = 1,
    RATION_JSON_INTEGER = 2,
    RATION_JSON_DOUBLE = 3,
    RATION_JSON_STRING = 4,
    RATION_JSON_ARRAY = 5,
    RATION_JSON_OBJECT = 6,
} ration_json_kind;

/// Why a text was refused.
typedef enum ration_json_code : uint8_t {
    RATION_JSON_OK = 0,
    RATION_JSON_EMPTY = 1,
    RATION_JSON_MALFORMED = 2,
    RATION_JSON_TRAILING_CONTENT = 3,
    RATION_JSON_INVALID_UTF8 = 4,
    RATION_JSON_LONE_SURROGATE = 5,
    RATION_JSON_DUPLICATE_KEY = 6,
    RATION_JSON_TOO_DEEP = 7,
    RATION_JSON_TOO_MANY_VALUES = 8,
    RATION_JSON_NUMBER_RANGE = 9,
    RATION_JSON_TOO_LARGE = 10,
    RATION_JSON_OUT_OF_MEMORY = 11,
} ration_json_code;

/// A value of the text. A container's descendants follow it in document order, so that the next sibling of a node is
/// `node + node->span`.
typedef struct ration_json_node {
    union {
        const uint8_t *string;  // unescaped UTF-8, `length` bytes
        int64_t integer;
        double number;
        bool boolean;
    } value;
    const uint8_t *key;      // unescaped UTF-8, `key_length` bytes; NULL unless this is a member of an object
    uint32_t key_length;
    uint32_t span;           // nodes of this subtree, itself included
    uint32_t length;         // bytes of a string, children of an array or object
    ration_json_kind kind;
} ration_json_node;

typedef struct ration_json_parser ration_json_parser;

/// No offset is known.
#define RATION_JSON_NO_OFFSET SIZE_MAX

/// `root` is set exactly when `code` is RATION_JSON_OK; it and all that it reaches is valid until the next parse.
typedef struct ration_json_result {
    const ration_json_node *root;
    size_t offset;           // of the fault, in bytes from the beginning, or RATION_JSON_NO_OFFSET
    ration_json_code code;
} ration_json_result;

/// A parser that refuses texts nested deeper than `maximum_depth` (1 to 1024) or with more than `maximum_values` values.
/// NULL when there is no memory.
ration_json_parser *ration_json_parser_create(uint32_t maximum_depth, uint32_t maximum_values);

void ration_json_parser_destroy(ration_json_parser *parser);

/// Parses one text. `is_padded` says that 64 bytes after the end may be read, whatever they hold; else the text is copied.
ration_json_result ration_json_parse(ration_json_parser *parser, const uint8_t *text, size_t length, bool is_padded);

/// The longest text that `ration_json_format_double` writes.
#define RATION_JSON_DOUBLE_LENGTH 32

/// Writes the shortest text that reads back as `value`, which is finite, to `output`, which has room for
/// RATION_JSON_DOUBLE_LENGTH bytes. Returns the number of bytes written.
size_t ration_json_format_double(double value, uint8_t *output);

#ifdef __cplusplus
}
#endif

#endif
