import {
  addManyRrsets,
  addManyZones,
  listIsWhole,
  type Person,
  peopleAt,
  rowsInDocument,
  scrollToShare,
  startWorld,
  timeOfKey,
} from '@zonewright/system-tests/world'
import { type Bar, type Figure, median } from './report.ts'

const zoneCount = 10_000
const rrsetCount = 5_000
const rounds = 10
/** The text that each round types and then deletes: two letters that filter the list. */
const keys = ['4', '2', 'Backspace', 'Backspace']
const loads = 5

const rowsBar: Bar = { kind: 'at most', value: 100 }
const keyBar: Bar = { kind: 'at most', value: 100 }

/** Long lists in a real browser (design: dashboard, "Rules"; issue: the dashboard, "Must reach"). */
export async function dashboard(): Promise<Figure[]> {
  const world = await startWorld()
  const people = await peopleAt(world)
  try {
    const zone = world.facts.zone.name
    await addManyZones(world, zoneCount - 1)
    await addManyRrsets(world, zone, rrsetCount - 1)
    const person = await people.at('desktop')
    await person.signIn()
    const firstRows = await timesToFirstRows(person)
    await listIsWhole(person, zoneCount)
    const zones = await measureList(person, 'Filter zones')
    await person.open(`/zones/${zone}`)
    const rrsets = await wholeRecords(person)
    const records = await measureList(person, 'Filter records')
    person.assertQuiet()
    return [
      figure(`rows in the document, of ${zoneCount} zones`, '', zones.rows, rowsBar, Math.max),
      figure('a key in the filter of the zones → the list is on the screen, p50', 'ms', zones.times, keyBar),
      figure(`rows in the document, of ${rrsets} rrsets`, '', records.rows, rowsBar, Math.max),
      figure('a key in the filter of the records → the list is on the screen, p50', 'ms', records.times, keyBar),
      figure(`from the address to the first rows of ${zoneCount} zones, p50`, 'ms', firstRows),
    ]
  } finally {
    await people.close()
    await world.stop()
  }
}

async function timesToFirstRows(person: Person): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < loads; i++) {
    const start = performance.now()
    await person.open('/zones')
    await person.page.getByRole('row').nth(1).waitFor()
    times.push(performance.now() - start)
  }
  return times
}

/** The number of record sets after all are read, including the managed ones. */
async function wholeRecords(person: Person): Promise<number> {
  const status = person.page.getByRole('status').filter({ hasText: /^[\d,]+ record sets$/ })
  await status.waitFor()
  return Number((await status.innerText()).replaceAll(/\D/g, ''))
}

async function measureList(person: Person, filter: string): Promise<{ rows: number[]; times: number[] }> {
  const rows: number[] = []
  for (const share of [0, 0.5, 1]) {
    await scrollToShare(person, share)
    rows.push(await rowsInDocument(person))
  }
  await scrollToShare(person, 0)
  await person.field(filter).focus()
  // The first run does not count, because it compiles code and does the first layout.
  for (const key of keys) await timeOfKey(person, key)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) for (const key of keys) times.push(await timeOfKey(person, key))
  return { rows, times }
}

function figure(
  name: string,
  unit: string,
  samples: readonly number[],
  bar?: Bar,
  of: (...values: number[]) => number = (...values) => median(values),
): Figure {
  return { name, unit, value: of(...samples), samples, ...(bar && { bar }) }
}
