#include <curl/curl.h>
#include <curl/multi.h>

// libcurl sets options by variadic functions, and its macros check their arguments only in C: each kind of argument has a
// function of its own here. The parentheses keep the macros from being taken.

static inline CURLcode ration_curl_set_long(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ration_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ration_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ration_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ration_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(handle, option, value);
}

typedef size_t (*ration_curl_writer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ration_curl_set_writer(CURL *handle, CURLoption option, ration_curl_writer value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode ration_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode ration_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode ration_curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLMcode ration_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLMcode ration_curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return (curl_multi_setopt)(multi, option, value);
}

typedef int (*ration_curl_socket_watcher)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*ration_curl_timer_watcher)(CURLM *multi, long milliseconds, void *context);

static inline CURLMcode ration_curl_multi_set_socket_watcher(CURLM *multi, ration_curl_socket_watcher watcher) {
    return (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, watcher);
}

static inline CURLMcode ration_curl_multi_set_timer_watcher(CURLM *multi, ration_curl_timer_watcher watcher) {
    return (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, watcher);
}

/// What a finished transfer has come to: the union of `CURLMsg` is not for Swift.
static inline CURLcode ration_curl_result(const CURLMsg *message) {
    return message->data.result;
}
