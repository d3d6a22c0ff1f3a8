/**
 * An idle connection ends some 15 s after its server's machine or network disappears: 5 s and ten
 * probes, one a second (libuv). A statement in progress is limited by `query_timeout`.
 */
export const keepalive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 }
