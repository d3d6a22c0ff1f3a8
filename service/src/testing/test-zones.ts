import type { TestAnswer, TestApi } from './test-api.ts'

interface Options {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly key?: string
}

/** Creates live zones of one account, each with calls to it by its name. */
export async function testZones(api: TestApi) {
  const account = await api.account('owner@example.net')
  const key = await api.key(account)
  let zones = 0
  const freshZone = async () => {
    const zone = await api.zone(account, `zone${++zones}.example.com`)
    const call = (method: string, path: string, options: Options = {}): Promise<TestAnswer> =>
      api.call(method, `/zones/${zone.name}${path}`, { key, ...options })
    const put = (name: string, type: string, records: string[], more: object = {}): Promise<TestAnswer> =>
      call('PUT', `/rrsets/${encodeURIComponent(name)}/${type}`, { body: { records, ...more } })
    const version = async (): Promise<number> => Number(JSON.parse(String((await call('GET', '')).headers['etag'])))
    return { ...zone, call, put, version }
  }
  return { account, key, freshZone }
}

/** A zone that `freshZone` made. */
export type FreshZone = Awaited<ReturnType<Awaited<ReturnType<typeof testZones>>['freshZone']>>

export function codeOf({ status, body }: TestAnswer): [status: number, code: string] {
  return [status, body.error?.code]
}

/** The faults of an answer, as `code place`. */
export function faultsOf({ body }: TestAnswer): string[] {
  return (body.error.details ?? []).map(
    (detail: { code: string; path?: string; line?: number }) => `${detail.code} ${detail.line ?? detail.path}`,
  )
}

/** The rrsets of a list, as `name type`. */
export function rrsetNames({ body }: TestAnswer): string[] {
  return body.data.map((rrset: { name: string; type: string }) => `${rrset.name} ${rrset.type}`)
}

/** The header for a body that is a zone file. */
export const zoneFileType = { 'content-type': 'text/dns' }
