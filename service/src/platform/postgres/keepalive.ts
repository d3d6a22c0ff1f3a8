/**
 * A connection on which nothing is said ends some 15 s after its server's machine or network is gone without a word: 5 s and ten
 * probes, one a second (libuv). What is under way is bounded by `query_timeout`.
 */
export const keepalive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 }
