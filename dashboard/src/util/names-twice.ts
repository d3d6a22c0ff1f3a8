/** Names that more than one zone has: a shared live zone, and the person's own zone that waits for its verification. */
export function namesTwice(zones: readonly { readonly name: string }[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { name } of zones) (seen.has(name) ? twice : seen).add(name)
  return twice
}
