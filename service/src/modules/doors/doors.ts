import type { DoorRoute } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import type { MailContext } from '#modules/accounts/index.ts'
import { Refusal } from '#platform/errors.ts'
import { type CredentialKind, howToSend, secretOf } from './credentials.ts'
import { refusePlainHttp } from './plain-http.ts'

/** The protocol of a door (`Door`), without what all doors share. */
type OwnDoor = Omit<Parameters<HttpServer['mountDoor']>[1], 'secretOf' | 'admit'>

/** An authorized request to a door. */
export type DoorCall = Parameters<OwnDoor['answer']>[0]

export interface DoorOptions extends OwnDoor {
  /** The ways in which the door accepts a key. */
  readonly credentials: readonly CredentialKind[]
  /** Refuses a request before its key is looked up. */
  readonly refuse?: (request: DoorCall['request']) => void
}

/** Mounts the routes of doors on a server, with the rules that all of them share. */
export class Doors {
  readonly #server: HttpServer
  readonly #mail: MailContext

  /** `mail.site`: PUBLIC_URL. If it is https, keys that arrive over plain HTTP are refused. */
  constructor(server: HttpServer, mail: MailContext) {
    this.#server = server
    this.#mail = mail
  }

  mount(route: DoorRoute, { credentials, refuse, ...door }: DoorOptions): void {
    const { database } = this.#server
    this.#server.mountDoor(route, {
      ...door,
      problem: (problem) => door.problem(saysHowToSend(problem, credentials)),
      secretOf: (request) => {
        refuseOtherSites(request)
        refuse?.(request)
        return secretOf(request.header, credentials)
      },
      admit: (caller, actor, { isEncrypted }) =>
        isEncrypted ? Promise.resolve() : refusePlainHttp(database, this.#mail, { caller, actor }),
    })
  }
}

/** A browser that stores a key for HTTP Basic sends it with requests from the pages of any site. */
function refuseOtherSites({ header }: DoorCall['request']): void {
  const site = header('sec-fetch-site')
  if (site !== undefined && site !== 'none')
    throw new Refusal('forbidden', 'Web pages cannot send this request. Send it from your own program.')
}

type Problem = Parameters<OwnDoor['problem']>[0]

/** The refusal of a request without a key. It names the ways of the door instead of those of the API. */
function saysHowToSend(problem: Problem, credentials: readonly CredentialKind[]): Problem {
  const { body } = problem
  if (body.error.code !== 'signed_out') return problem
  const message = `This request has no API key. ${howToSend(credentials)}`
  return { ...problem, body: { ...body, error: { ...body.error, message } } }
}
