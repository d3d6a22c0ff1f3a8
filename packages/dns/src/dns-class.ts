/** Classes (RFC 1035 §3.2.4, 2136 §2.4). Only IN stands in a zone. */
export const DnsClass = { IN: 1, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const
