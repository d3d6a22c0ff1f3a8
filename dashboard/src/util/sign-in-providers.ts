/** A provider to sign in with, as the service has put it into the page. */
export interface SignInProvider {
  readonly id: string
  readonly name: string
}

/** Reads the content of the element `sign-in-providers`. Anything else means that there are no providers. */
export function providersIn(content: string | null | undefined): readonly SignInProvider[] {
  try {
    return JSON.parse(content ?? '[]') as readonly SignInProvider[]
  } catch {
    return []
  }
}

/** The providers of this installation, in the order in which they are shown. */
export const signInProviders = providersIn(
  globalThis.document?.querySelector('meta[name="sign-in-providers"]')?.getAttribute('content'),
)

/** The answer with which a provider sent the browser to this page. */
export interface ProviderAnswer {
  /** The provider's id, the end of the path. */
  readonly provider: string
  readonly code?: string
  readonly state?: string
  readonly iss?: string
  readonly error?: string
}

/**
 * Reads the answer from the address of a page. `opened` is the address as the browser has opened it: the router may have changed a code in
 * `location` that looks like a number.
 */
export function answerIn(opened: string): ProviderAnswer {
  const { pathname, searchParams } = new URL(opened)
  const given = ['code', 'state', 'iss', 'error'].flatMap((name) => {
    const value = searchParams.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { provider: pathname.split('/').at(-1) ?? '', ...Object.fromEntries(given) }
}
