/** A request as a command for a shell (POSIX). Nothing in it can end a quotation or be a command of its own. */
export function curlOf({
  url,
  headers,
  body,
}: {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}): string {
  return [
    // Brackets in a URL are not patterns, and @ at the beginning of a body is not the name of a file.
    `curl --globoff ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ')
}

/** In single quotes, a shell reads everything as it is, except a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
