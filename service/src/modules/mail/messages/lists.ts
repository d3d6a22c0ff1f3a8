const maxListed = 10

/** Names in a line; of many the first ten. */
export function listText(names: readonly string[]): string {
  const listed = names.slice(0, maxListed).join(', ')
  return names.length <= maxListed ? listed : `${listed} and ${names.length - maxListed} more`
}
