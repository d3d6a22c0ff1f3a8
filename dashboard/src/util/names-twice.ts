/** Names that more than one zone has: a shared live one, and one of the person's own that waits for its proof. */
export function namesTwice(zones: readonly { readonly name: string }[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { name } of zones) (seen.has(name) ? twice : seen).add(name)
  return twice
}
