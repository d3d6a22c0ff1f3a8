import { acmeDoorRoutes } from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { type DoorCall, type DoorOptions, type Doors, textRefusal } from '#modules/doors/index.ts'
import { type IsServed, waitForNameservers, zonePreloadAt } from '#modules/records/index.ts'
import { Refusal } from '#platform/errors.ts'
import { acmeDnsChallenge, httpreqChallenge, nameIn } from './challenge.ts'
import { addChallenge, removeChallenge, replaceChallenge } from './change-challenge.ts'

/** How long a client waits until the nameservers have its record. lego gives up after 30 s. */
const waitS = 20

/** Mounts httpreq, lego's own protocol for DNS-01 challenges, and acme-dns. `site`: the address of the dashboard. */
export function mountAcmeDoors(
  server: HttpServer,
  doors: Doors,
  { isServed, site }: { readonly isServed: IsServed; readonly site: string },
): void {
  const { database } = server
  const finish = waitForNameservers(database.db, isServed)
  const httpreq = (change: typeof addChallenge): DoorOptions => ({
    credentials: ['basic', 'bearer'],
    zoneOf: ({ body }) => {
      const name = nameIn(httpreqChallenge, body)
      return name === undefined ? {} : { nameInZone: name, preload: zonePreloadAt(name) }
    },
    problem: textRefusal,
    answer: async (call) => {
      const mark = await change(database, call, httpreqChallenge(call.request.body))
      const { zone } = call as DoorCall & { zone: NonNullable<DoorCall['zone']> }
      await finish({ zone, waitS, leaving: server.leaving }, { status: 200, ...mark })
      return { ...mark, ...text('ok') }
    },
  })
  doors.mount(acmeDoorRoutes.present, httpreq(addChallenge))
  doors.mount(acmeDoorRoutes.cleanup, httpreq(removeChallenge))

  doors.mount(acmeDoorRoutes.update, {
    credentials: ['x-api-key'],
    zoneOf: ({ body }) => ({ nameInZone: nameIn(acmeDnsChallenge, body) }),
    problem: acmeDnsProblem,
    answer: async (call) => {
      const challenge = acmeDnsChallenge(call.request.body)
      const mark = await replaceChallenge(database, call, challenge)
      return { ...mark, ...json(200, { txt: challenge.value }) }
    },
  })
  doors.mount(acmeDoorRoutes.register, {
    credentials: [],
    problem: acmeDnsProblem,
    answer: async () => {
      const message = `Accounts are not created here. ${site}/app/connect-a-client?client=acme-dns shows the account file of an API key.`
      throw new Refusal('forbidden', message)
    },
  })
  doors.mount(acmeDoorRoutes.health, { credentials: [], problem: acmeDnsProblem, answer: async () => text('') })
}

function text(body: string): Answer {
  return { status: 200, type: 'text/plain; charset=utf-8', body }
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

/** acme-dns errors are words. `message` says what is wrong. */
const acmeDnsProblem: DoorOptions['problem'] = ({ status, body: { error } }) => {
  const own = error.details?.find(({ code }) => ownCodes.includes(code))?.code
  const word =
    status >= 500
      ? 'db_error'
      : error.code === 'malformed_request'
        ? 'malformed_json_payload'
        : status === 401 || status === 403
          ? 'forbidden'
          : (own ?? error.code)
  const body = JSON.stringify({ error: word, message: error.message })
  return { status: own === undefined ? status : 400, type: 'application/json', body }
}

/** Errors that acme-dns itself also reports with status 400. */
const ownCodes: readonly string[] = ['bad_subdomain', 'bad_txt']
