/** Classes (RFC 1035 §3.2.4, 2136 §2.4). A zone has only records of class IN. */
export const DnsClass = { IN: 1, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const

/** Whether a word of a zone file is a class. `ANY` is not among them: it may be a type. */
export function isClassWord(text: string): boolean {
  return /^(?:IN|CH|HS|CS|CHAOS|HESIOD|NONE|CLASS\d+)$/i.test(text)
}
