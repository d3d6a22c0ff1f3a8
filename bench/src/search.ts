import {
  addManyZones,
  addRecordsToZones,
  peopleAt,
  startWorld,
  timeOfSearch,
  type World,
} from '@zonewright/system-tests/world'
import { type Bar, type Figure, median, peerOf, percentile } from './report.ts'

const zoneCount = 10_000
const rrsetsPerZone = 20
/** The search texts: an owner name, a prefix of many names, a value, an address in another notation, and a text without results. */
const texts = ['mail.n4711.long', 'selector1', '-7f3a', '192.0.77.7', '2001:DB8:0:0::1', '%_ nowhere'] as const
const apiRounds = 100
const browserRounds = 3
const barMs = 100

const keyBar: Bar = { kind: 'at most', value: barMs }

/** Search with the API and in the palette (design: product, section 3). */
export async function search(): Promise<Figure[]> {
  const world = await startWorld()
  const people = await peopleAt(world)
  try {
    await addManyZones(world, zoneCount - 1)
    await addRecordsToZones(world, rrsetsPerZone)
    const first = await timeOf(() => find(world, 'anything'))
    await untilComplete(world)
    const api = await withTheApi(world)
    const person = await people.at('desktop')
    await person.signIn()
    await person.page.keyboard.press('Control+k')
    await person.page.getByRole('combobox', { name: 'Search' }).waitFor()
    const keys: number[] = []
    for (let round = 0; round <= browserRounds; round++)
      for (const text of texts) {
        const times: number[] = []
        for (const key of text) times.push(await timeOfSearch(person, key === ' ' ? 'Space' : key))
        // The first round does not count: code is compiled. Neither do first letters, which search nothing.
        if (round > 0) keys.push(...times.slice(1))
        await person.page.getByRole('combobox', { name: 'Search' }).fill('')
      }
    person.assertQuiet()
    const ofApi = `a search of ${zoneCount} zones and ${zoneCount * rrsetsPerZone} record sets`
    const floor = 'a call that reads one row'
    return [
      figure('a key in the palette → the results are on the screen, p95', keys, percentile(keys, 0.95), keyBar),
      figure('the same, p50', keys, median(keys)),
      { ...figure(`${ofApi}, p50`, api.own, median(api.own)), beside: [peerOf(floor, api.own, api.floor)] },
      {
        ...figure('the same, p95', api.own, percentile(api.own, 0.95)),
        beside: [
          {
            name: `${floor}, p95`,
            value: percentile(api.floor, 0.95),
            ratio: percentile(api.own, 0.95) / percentile(api.floor, 0.95),
          },
        ],
      },
      figure('the first search of the account', [first], first),
    ]
  } finally {
    await people.close()
    await world.stop()
  }
}

async function find({ api }: World, q: string): Promise<{ complete?: boolean }> {
  const { status, body } = await api.call<{ complete?: boolean }>('GET', `/search?q=${encodeURIComponent(q)}`)
  if (status !== 200) throw new Error(`A search was answered with ${status}: ${JSON.stringify(body)}`)
  return body
}

async function untilComplete(world: World): Promise<void> {
  while (!(await find(world, 'anything')).complete);
}

async function withTheApi(world: World): Promise<{ own: number[]; floor: number[] }> {
  const own: number[] = []
  const floor: number[] = []
  for (let i = 0; i < apiRounds; i++) {
    own.push(await timeOf(() => find(world, texts[i % texts.length] ?? '')))
    floor.push(await timeOf(() => world.api.call('GET', `/zones/${world.facts.zone.name}`)))
  }
  return { own, floor }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return performance.now() - beganMs
}

function figure(name: string, samples: readonly number[], value: number, bar?: Bar): Figure {
  return { name, unit: 'ms', value, samples, ...(bar && { bar }) }
}
