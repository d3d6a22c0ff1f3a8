/** A cookie that only this service reads, in requests to its API and to the routes for signing in. */
export class OwnCookie {
  readonly name: string
  readonly attributes: {
    readonly httpOnly: true
    readonly sameSite: 'lax'
    readonly secure: boolean
    readonly path: string
    /** In seconds. */
    readonly maxAge: number
  }

  constructor(name: string, publicUrl: string, maxAge: number) {
    const secure = publicUrl.startsWith('https:')
    this.name = `${secure ? '__Secure-' : ''}${name}`
    this.attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/api', maxAge }
  }

  /** The cookie's value in a request's Cookie header; empty if the header does not contain it. */
  protected valueIn(header: string | undefined | null): string {
    const prefix = `${this.name}=`
    const cookie = header?.split(/; */).find((each) => each.startsWith(prefix))
    return cookie?.slice(prefix.length) ?? ''
  }
}
