#include "fault.hpp"

#include <charconv>
#include <cstring>
#include <system_error>

namespace {

bool is_digit(int byte) noexcept { return byte >= '0' && byte <= '9'; }
bool is_high_surrogate(int unit) noexcept { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_surrogate(int unit) noexcept { return unit >= 0xDC00 && unit < 0xE000; }

// The code unit of the four hexadecimal digits at `digits`, or -1.
int hex_unit(const uint8_t *digits, const uint8_t *end) noexcept {
    if (end - digits < 4) return -1;
    int unit = 0;
    for (int place = 0; place < 4; place++) {
        const int byte = digits[place];
        const int lower = byte | 0x20;
        if (is_digit(byte)) unit = unit * 16 + (byte - '0');
        else if (lower >= 'a' && lower <= 'f') unit = unit * 16 + (lower - 'a' + 10);
        else return -1;
    }
    return unit;
}

// The code unit of the escape `\uHHHH` at `at`, or -1.
int escaped_unit(const uint8_t *at, const uint8_t *end) noexcept {
    return end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? hex_unit(at + 2, end) : -1;
}

// The length of the well-formed UTF-8 sequence at `at` (Unicode, table 3-7), or 0.
size_t utf8_length(const uint8_t *at, const uint8_t *end) noexcept {
    const int lead = at[0];
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (static_cast<size_t>(end - at) < length) return 0;
    const int lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const int highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < lowest || at[1] > highest) return 0;
    for (size_t place = 2; place < length; place++) {
        if ((at[place] & 0xC0) != 0x80) return 0;
    }
    return length;
}

/// Reads a text by the grammar of RFC 8259 up to its first fault, or up to a wanted value.
class reader {
   public:
    reader(const uint8_t *text, size_t length, uint32_t maximum_depth, uint32_t maximum_values) noexcept
        : begin_(text), end_(text + length), at_(text), maximum_depth_(maximum_depth), maximum_values_(maximum_values) {}

    fault run() noexcept {
        skip_space();
        if (at_ == end_) return {RATION_JSON_EMPTY, offset(at_)};
        if (!value(0)) return fault_;
        skip_space();
        if (at_ != end_) fail(utf8_length(at_, end_) ? RATION_JSON_TRAILING_CONTENT : RATION_JSON_INVALID_UTF8, at_);
        return fault_;
    }

    size_t key_of(uint32_t wanted) noexcept {
        wanted_ = wanted;
        skip_space();
        return value(0) ? RATION_JSON_NO_OFFSET : fault_.offset;
    }

   private:
    size_t offset(const uint8_t *place) const noexcept { return static_cast<size_t>(place - begin_); }

    bool fail(ration_json_code code, const uint8_t *place) noexcept {
        fault_ = {code, offset(place)};
        return false;
    }

    bool unexpected() noexcept {
        const bool is_text = at_ == end_ || utf8_length(at_, end_) > 0;
        return fail(is_text ? RATION_JSON_MALFORMED : RATION_JSON_INVALID_UTF8, at_);
    }

    int peek() const noexcept { return at_ == end_ ? -1 : *at_; }

    bool take(int byte) noexcept {
        if (peek() != byte) return false;
        at_++;
        return true;
    }

    void skip_space() noexcept {
        while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') at_++;
    }

    bool value(uint32_t depth) noexcept {
        if (values_ == wanted_) return fail(RATION_JSON_DUPLICATE_KEY, key_);
        switch (peek()) {
            case '{': return count() && container(depth, '}');
            case '[': return count() && container(depth, ']');
            case '"': return count() && string();
            case 't': return count() && literal("true");
            case 'f': return count() && literal("false");
            case 'n': return count() && literal("null");
            default: return is_digit(peek()) || peek() == '-' ? count() && number() : unexpected();
        }
    }

    bool count() noexcept {
        return values_++ == maximum_values_ ? fail(RATION_JSON_TOO_MANY_VALUES, at_) : true;
    }

    bool container(uint32_t depth, int closing) noexcept {
        if (depth == maximum_depth_) return fail(RATION_JSON_TOO_DEEP, at_);
        at_++;
        skip_space();
        if (take(closing)) return true;
        do {
            skip_space();
            if (closing == '}' && !key()) return false;
            if (!value(depth + 1)) return false;
            skip_space();
        } while (take(','));
        return take(closing) ? true : unexpected();
    }

    bool key() noexcept {
        if (peek() != '"') return unexpected();
        const uint8_t *place = at_;
        if (!string()) return false;
        skip_space();
        if (!take(':')) return unexpected();
        skip_space();
        key_ = place;
        return true;
    }

    bool literal(const char *text) noexcept {
        for (; *text; text++) {
            if (!take(*text)) return unexpected();
        }
        return ends_token() ? true : unexpected();
    }

    bool ends_token() const noexcept { return peek() == -1 || std::strchr(" \n\r\t,:[]{}", peek() ? peek() : 'x'); }

    bool string() noexcept {
        at_++;
        while (at_ != end_ && *at_ != '"') {
            if (*at_ == '\\') {
                if (!escape()) return false;
                continue;
            }
            const size_t length = *at_ < 0x20 ? 0 : utf8_length(at_, end_);
            if (length == 0) return unexpected();
            at_ += length;
        }
        return take('"') ? true : unexpected();
    }

    bool escape() noexcept {
        if (end_ - at_ < 2) return fail(RATION_JSON_MALFORMED, at_);
        if (at_[1] != 'u') {
            if (!at_[1] || !std::strchr("\"\\/bfnrt", at_[1])) return fail(RATION_JSON_MALFORMED, at_);
            at_ += 2;
            return true;
        }
        const int unit = escaped_unit(at_, end_);
        if (unit < 0) return fail(RATION_JSON_MALFORMED, at_);
        if (is_low_surrogate(unit)) return fail(RATION_JSON_LONE_SURROGATE, at_);
        if (is_high_surrogate(unit)) {
            if (!is_low_surrogate(escaped_unit(at_ + 6, end_))) return fail(RATION_JSON_LONE_SURROGATE, at_);
            at_ += 6;
        }
        at_ += 6;
        return true;
    }

    bool digits() noexcept {
        if (!is_digit(peek())) return unexpected();
        while (is_digit(peek())) at_++;
        return true;
    }

    bool number() noexcept {
        const uint8_t *first = at_;
        bool is_integer = true;
        take('-');
        if (!take('0') && !digits()) return false;
        if (take('.')) {
            is_integer = false;
            if (!digits()) return false;
        }
        if (peek() == 'e' || peek() == 'E') {
            is_integer = false;
            at_++;
            if (peek() == '+' || peek() == '-') at_++;
            if (!digits()) return false;
        }
        if (!ends_token()) return unexpected();
        const bool is_in_range = is_integer ? fits_integer(first) : fits_double(first);
        return is_in_range ? true : fail(RATION_JSON_NUMBER_RANGE, first);
    }

    bool fits_integer(const uint8_t *first) const noexcept {
        int64_t value = 0;
        const auto characters = reinterpret_cast<const char *>(first);
        return std::from_chars(characters, reinterpret_cast<const char *>(at_), value).ec == std::errc();
    }

    // from_chars says the same of what is too large and of what is too near to 0, and only the first is a fault.
    bool fits_double(const uint8_t *first) const noexcept {
        double value = 0;
        const auto characters = reinterpret_cast<const char *>(first);
        const auto end = reinterpret_cast<const char *>(at_);
        return std::from_chars(characters, end, value).ec == std::errc() || magnitude(first) < 0;
    }

    // The decimal exponent of a number's first digit that is not 0, roughly.
    long magnitude(const uint8_t *place) const noexcept {
        long whole = 0, zeros = 0, exponent = 0;
        if (*place == '-') place++;
        if (*place != '0') while (place != at_ && is_digit(*place)) place++, whole++;
        else place++;
        if (place != at_ && *place == '.') {
            while (++place != at_ && *place == '0') zeros++;
            while (place != at_ && is_digit(*place)) place++;
        }
        if (place != at_) {
            const bool is_negative = *++place == '-';
            if (*place == '-' || *place == '+') place++;
            for (; place != at_ && exponent < (1l << 40); place++) exponent = exponent * 10 + (*place - '0');
            if (is_negative) exponent = -exponent;
        }
        return (whole > 0 ? whole : -zeros) + exponent;
    }

    const uint8_t *begin_, *end_, *at_;
    const uint8_t *key_ = nullptr;
    uint32_t maximum_depth_, maximum_values_;
    uint32_t values_ = 0;
    uint32_t wanted_ = UINT32_MAX;
    fault fault_ = {RATION_JSON_OK, RATION_JSON_NO_OFFSET};
};

}  // namespace

fault find_fault(const uint8_t *text, size_t length, uint32_t maximum_depth, uint32_t maximum_values) noexcept {
    return reader(text, length, maximum_depth, maximum_values).run();
}

size_t find_key(const uint8_t *text, size_t length, uint32_t value) noexcept {
    // The text is known to keep both limits: flatten() met the repeated key first.
    return reader(text, length, UINT32_MAX, UINT32_MAX).key_of(value);
}
