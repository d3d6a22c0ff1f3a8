/** A host that someone typed or pasted, perhaps within a URL. */
export interface TypedHost {
  readonly host: string
  /** The path that the URL had after the host, such as `/shop`. */
  readonly path?: string
}

const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]*)(?::\d*)?([/?#].*)?$/i

/** The host of a URL; any other text is returned as it is. */
export function hostOfUrl(text: string): TypedHost {
  const [, host, path = '/'] = url.exec(text.trim()) ?? []
  if (host === undefined) return { host: text }
  return path === '/' ? { host } : { host, path }
}

/** The host in a text: without the scheme, port and path of a URL, and final dot. */
export function hostIn(text: string): string {
  const { host } = hostOfUrl(text)
  return host
    .trim()
    .replace(/[/?#:].*$/, '')
    .replace(/\.$/, '')
}

/** The domain in a text: its host without `www.`. */
export function domainOf(text: string): string {
  return hostIn(text).replace(/^www\.(?=[^.]+\.)/i, '')
}

/** A host as the browser's URL parser returns it; '' if the parser refuses it. */
export function toAscii(name: string): string {
  try {
    const { hostname } = new URL(`http://${name.replaceAll('*', 'x--star--x')}`)
    return hostname.replaceAll('x--star--x', '*')
  } catch {
    return ''
  }
}
