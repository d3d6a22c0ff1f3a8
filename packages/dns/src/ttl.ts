/** Longest time to live: 2³¹ − 1 seconds (RFC 2181 §8). */
export const maxTtl = 0x7fffffff

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 }

/** The seconds in `3600` or `1h30m`; undefined if the text has neither form or means more than `most` seconds. */
export function parseTtl(text: string, most = 0xffffffff): number | undefined {
  const inRange = (seconds: number) => (seconds <= most ? seconds : undefined)
  if (/^\d{1,10}$/.test(text)) return inRange(Number(text))
  if (text.length > 60 || !/^(?:\d{1,10}[smhdw])+$/i.test(text)) return undefined
  let total = 0
  for (const [, amount, unit = ''] of text.matchAll(/(\d+)(\D)/g)) {
    total += Number(amount) * (unitSeconds[unit.toLowerCase()] ?? 0)
  }
  return inRange(total)
}
