/**
 * The layout of zone data in shared memory. Everything is read as 32-bit words in the byte order of the machine, so that names are compared and
 * answers are copied four bytes at a time. Only the bytes inside names and answers are in network order.
 *
 * A place in the tables is a reference: the segment in the upper 4 bits, the unit of 8 bytes within it below.
 */

export const segmentShift = 28
const unitMask = 0x0fffffff
/** Sixteen segments of at most 2 GiB. */
export const maxSegments = 16
export const unitBytes = 8

/** The null reference: an empty slot of the index, or an answer without a DO variant. */
export const noRef = 0
/** A slot of the index whose entry was deleted; searches continue past it. */
export const tombstone = 1
/** Memory is managed in pages of this many units. The first one of a segment stays free, so that no block has one of the two references above. */
export const pageShift = 6
export const pageUnits = 1 << pageShift

/** The unit of a reference within its segment. */
export function unitOf(ref: number): number {
  return ref & unitMask
}

/** The index of the first word of a reference within its segment. */
export function wordOf(ref: number): number {
  return (ref & unitMask) << 1
}

/** Words of the control block, which every thread shares. */
export const controlClock = 0
export const controlIndex = 1
export const controlEpoch = 2
/** How many words of readers are in use. */
export const controlReaderCount = 3
/** Each reader announces in its own word which data it may still read. The words are one cache line apart. */
export const controlReaders = 16
export const readerStride = 16
export const maxReaders = 1024
export const controlWords = controlReaders + readerStride * maxReaders

/** The index of names: the number of slots minus one, then pairs of hash and reference. */
export const indexMask = 0
export const indexSlots = 2

/**
 * A zone. `version` is odd while the zone is being changed, and otherwise the clock time of the last change. It shows a reader whether it read a
 * mixture of two versions.
 */
export const zoneVersion = 0
export const zoneFlags = 1
export const zoneApex = 2
/** How many zones of this server are below this one. */
export const zoneSubzones = 3
/** How many names below the apex have NS, and how many names of the zone have DNAME. */
export const zoneCuts = 4
export const zoneWildcards = 5
/** The names in canonical order; see order-index.ts. */
export const zoneOrder = 6
export const zoneRecords = 7
/** The length of the apex name in bytes; in the upper bits, the length of the SOA record as stored at the apex. */
export const zoneLengths = 8
/** The offsets in the SOA record of the pointers that end its two names and depend on the question; 0 for none. */
export const zonePatches = 9
/** The offset of the SOA record for negative answers, in words from the block of the apex. */
export const zoneSoa = 10
/** The TTL of the SOA in negative answers (RFC 2308 §3). */
export const zoneNegativeTtl = 11
/** The signatures of the SOA, which follow it: their length in bytes; in the upper bits, their number. */
export const zoneSoaSigned = 12
/** How many signatures the zone has. If there are none, the DO bit changes nothing. */
export const zoneSignatures = 13
/** How the zone denies. At most one of the two is set: the names with NSEC in canonical order, or those with NSEC3 by hash (hash-order.ts). */
export const zoneNsecs = 14
export const zoneHashes = 15
/** How names are hashed for NSEC3: a block with the iterations, the length of the salt, and the salt. */
export const zoneHashing = 16
/** NSEC3 records that no answer uses, such as those of a chain that is still incomplete. */
export const zoneIdleHashes = 17
/**
 * When the first signature expires, in the format of signatures (RFC 4034 §3.1.5), or an earlier time; whether the time may be too early, because the
 * signature that expired first was removed; and the same for the signatures that a search has found (expiry-search.ts).
 */
export const zoneExpiry = 18
export const zoneExpiryState = 19
export const zoneFoundExpiry = 20
export const zoneWords = 21

/** Words of the block at `zoneHashing`. */
export const hashingIterations = 0
export const hashingSaltLength = 1
export const hashingSalt = 2

/** Built but not active yet, or inactive: readers ignore its names. */
export const flagHidden = 1
/** The zone currently has no data: SERVFAIL. */
export const flagWithheld = 2
/** Only queries that are signed with our key get full answers. */
export const flagPrivate = 4

/** The bits of a zone's flags from here on hold why it is withheld: a code of RFC 8914. */
export const whyWithheldShift = 8

/** The flags of a zone that is withheld; `why` is a code of RFC 8914. */
export function withheldFlags(why: number): number {
  return flagWithheld | (why << whyWithheldShift)
}

/**
 * A name: its zone; its length, flags and number of rrsets; the name itself in lower case, padded with zeros; an entry
 * for each rrset, by type; the hashes of the name, in a zone that denies by NSEC3; then the answers.
 */
export const nodeZone = 0
export const nodeHead = 1
export const nodeName = 2

export const nodeIsApex = 0x100
export const nodeHasNs = 0x200
export const nodeHasDname = 0x400
export const nodeHasNsec = 0x800
/** Two hashes follow the entries: that of the name, and that of the wildcard below it. */
export const nodeIsHashed = 0x1000

/**
 * An entry: type and number of records; the offset of the answer (in words from the node) and its length in bytes; its signatures. The answer with
 * the DO bit is therefore the same, only longer. An entry for RRSIG has the signatures that cover no rrset at the name.
 */
export const entryType = 0
export const entryAnswer = 1
/** The signatures of the rrset, which directly follow the answer: their length in bytes; in the upper bits, their number. */
export const entrySigned = 2
export const entryWords = 3
/** Longer answers have a separate block. Their entry has a length of 0 bytes, and a reference and the actual length replace the answer. */
export const longestInlineAnswer = 2048

/** The first entry of the node that begins at word `at`, whose second word is `head`. */
export function entriesAt(at: number, head: number): number {
  return at + nodeName + (((head & 0xff) + 3) >> 2)
}

/** Where the two hashes of a node with `nodeIsHashed` are: after its entries. */
export function hashesAt(at: number, head: number): number {
  return entriesAt(at, head) + (head >>> 16) * entryWords
}

/** Bytes of a stored record before its data. */
export const recordHeadBytes = 12
/** A compression pointer to the name at the beginning of the question, which owner names use. */
export const questionAt = 12
