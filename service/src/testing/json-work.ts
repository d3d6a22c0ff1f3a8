const sample = Array.from({ length: 200 }, (_, i) => ({
  name: `host${i}.example.com`,
  ttl: 300,
  records: [`192.0.2.${i}`],
}))

/** Writes the same JSON each time and reads it again. Returns its number of bytes: bytes per second show how fast a core is. */
export function writeAndReadJson(): number {
  const text = JSON.stringify(sample)
  if (JSON.parse(text).length !== sample.length) throw new Error('JSON does not come back')
  return text.length
}
