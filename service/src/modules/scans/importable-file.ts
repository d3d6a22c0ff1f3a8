import { readImport } from '#modules/records/index.ts'
import { readZone } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { inSlices } from '#platform/work/slices.ts'

/** An import reports a limited number of faults at once. */
const maxPasses = 20

/** The zone file with the lines that an import would refuse as comments, each after the reason. */
export async function importableFile(db: Db, zoneId: string, zoneFile: string): Promise<string> {
  const zone = await readZone(db, zoneId)
  let text = zoneFile
  for (let pass = 0; zone !== undefined && pass < maxPasses; pass++) {
    const faults = await faultsOf(zone, text)
    if (faults.size === 0) break
    text = text
      .split('\n')
      .map((line, i) =>
        faults.has(i + 1) ? `; ${line} ; left out: ${faults.get(i + 1)?.replaceAll(/\s+/g, ' ')}` : line,
      )
      .join('\n')
  }
  return text
}

/** The messages by line. */
async function faultsOf(zone: Parameters<typeof readImport>[0], text: string): Promise<ReadonlyMap<number, string>> {
  try {
    const { faults } = await inSlices(readImport(zone, text))
    return new Map(faults.map(({ line, message }) => [line, message]))
  } catch (error) {
    // The text as a whole is refused, such as one without records: the review says why.
    if (error instanceof Refusal) return new Map()
    throw error
  }
}
