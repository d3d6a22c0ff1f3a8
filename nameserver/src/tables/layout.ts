/**
 * How zone data lie in shared memory. All is read as 32-bit words of the machine, so that a name is compared and an
 * answer copied four bytes at a time; only inside names and answers do bytes have the order of the network.
 *
 * A place in the tables is a reference: the segment in the upper 4 bits, the unit of 8 bytes within it below.
 */

export const segmentShift = 28
const unitMask = 0x0fffffff
/** Sixteen segments of at most 2 GiB. */
export const maxSegments = 16
export const unitBytes = 8

/** No place at all: an empty slot of the index, an answer without a DO variant. */
export const noRef = 0
/** A slot of the index whose entry was deleted; searches continue past it. */
export const tombstone = 1
/** Memory is managed in pages of so many units. The first one of a segment stays free, so that no block has one of the two references above. */
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
/** How many readers' words are in use. */
export const controlReaderCount = 3
/** Each reader announces in a word of its own what it may still look at; a cache line apart from the others. */
export const controlReaders = 16
export const readerStride = 16
export const maxReaders = 1024
export const controlWords = controlReaders + readerStride * maxReaders

/** The index of names: how many slots there are less one, then pairs of hash and reference. */
export const indexMask = 0
export const indexSlots = 2

/**
 * A zone. `version` is odd while the zone is being changed, and otherwise the clock's time of the last change; by it a
 * reader detects that it read a mixture of two versions.
 */
export const zoneVersion = 0
export const zoneFlags = 1
export const zoneApex = 2
/** How many zones of this server lie below this one. */
export const zoneSubzones = 3
/** How many names below the apex have NS, and how many anywhere have DNAME. */
export const zoneCuts = 4
export const zoneWildcards = 5
/** The names in canonical order; see order-index.ts. */
export const zoneOrder = 6
export const zoneRecords = 7
/** Bytes of the apex's name; above them the bytes of the SOA record as it is stored at the apex. */
export const zoneLengths = 8
/** Where in the SOA record the two names end in a pointer, which depends on the question; 0 for none. */
export const zonePatches = 9
/** Where the SOA record begins, in words from the apex's block: what negative answers carry. */
export const zoneSoa = 10
/** Its TTL there (RFC 2308 §3). */
export const zoneNegativeTtl = 11
/** The signatures over it, placed behind it: their bytes, and above them how many there are. */
export const zoneSoaSigned = 12
/** How many signatures the zone has; without any, the DO bit changes nothing. */
export const zoneSignatures = 13
/** How the zone denies, one of the two at most: the names that have NSEC in canonical order, or those of NSEC3 by hash (hash-order.ts). */
export const zoneNsecs = 14
export const zoneHashes = 15
/** How names are hashed for the latter: a block of the iterations, the length of the salt, and the salt. */
export const zoneHashing = 16
/** NSEC3 records that no answer uses, such as those of a chain that is still incomplete. */
export const zoneIdleHashes = 17
/**
 * When the first of the signatures expires, as they state it (RFC 4034 §3.1.5), or something earlier; whether it may be earlier, since
 * the signature that expired first has gone; and the same of the signatures that a search for the first one has found (expiry-search.ts).
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
/** There is currently nothing to answer with: SERVFAIL. */
export const flagWithheld = 2
/** Answered in full to our key alone. */
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
/** Behind the entries are two hashes: that of the name, and that of the wildcard below it. */
export const nodeIsHashed = 0x1000

/**
 * An entry: type and number of records; where the answer begins (in words from the node) and its bytes; its signatures. So the
 * answer with the DO bit is the same, only longer. An entry of RRSIG has the signatures that cover nothing at the name.
 */
export const entryType = 0
export const entryAnswer = 1
/** The signatures over it, which follow the answer directly: their bytes, and above them how many there are. */
export const entrySigned = 2
export const entryWords = 3
/**
 * Answers longer than this have a block of their own: their entry says 0 bytes, and where the answer would be are a
 * reference and the real length.
 */
export const longestInlineAnswer = 2048

/** The first entry of the node that begins at word `at`, whose second word is `head`. */
export function entriesAt(at: number, head: number): number {
  return at + nodeName + (((head & 0xff) + 3) >> 2)
}

/** Where the two hashes of a node with `nodeIsHashed` are: behind its entries. */
export function hashesAt(at: number, head: number): number {
  return entriesAt(at, head) + (head >>> 16) * entryWords
}

/** Where a name is found that stands at the beginning of the question; what owner names point at. */
export const questionAt = 12
