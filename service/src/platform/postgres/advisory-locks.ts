/**
 * The numbers of our advisory locks in PostgreSQL: each is for one thing that only one process at a time may do on a
 * database. Kept in one list, so that no two things ever share a number.
 */
export const advisoryLocks = {
  migrate: 7_246_001,
  cloneTestDatabase: 7_246_002,
  fanOut: 7_246_003,
  publicationLeader: 7_246_004,
} as const
