/** Reads the named text parameters from a page's URL. Values that are empty or not text are omitted. */
export function search<T extends Readonly<Record<string, string>> | object>(
  names: readonly (keyof T & string)[],
): (raw: Record<string, unknown>) => T {
  return (raw) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = raw[name]
        const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
        return typeof text === 'string' && text !== '' ? [[name, text]] : []
      }),
    ) as T
}
