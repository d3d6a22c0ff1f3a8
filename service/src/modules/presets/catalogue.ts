import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '#platform/errors.ts'
import { type Preset, presetOf } from './preset.ts'
import { parseTemplate } from './template.ts'

/** The templates that come with the service. */
const ownFolder = fileURLToPath(new URL('../../../presets/', import.meta.url))

/** Every preset there is, by id, and what is wrong with templates that were left out: a line each. */
export interface PresetCatalogue {
  readonly presets: ReadonlyMap<string, Preset>
  readonly faults: readonly string[]
}

/**
 * Reads the templates that come with the service and those of a folder, where one with the same id takes ours' place.
 *
 * A template with a fault is left out; so is the second of two in the folder with one id. Ours have none, or this throws.
 */
export function readPresets(folder?: string): PresetCatalogue {
  const own = readFolder(ownFolder)
  if (own.faults.length > 0) throw new Error(own.faults.join('\n'))
  const theirs = folder === undefined ? { presets: new Map<string, Preset>(), faults: [] } : readFolder(folder)
  const all = [...new Map([...own.presets, ...theirs.presets])].sort(([a], [b]) => (a < b ? -1 : 1))
  return { presets: new Map(all), faults: theirs.faults }
}

function readFolder(folder: string): { presets: Map<string, Preset>; faults: string[] } {
  const presets = new Map<string, Preset>()
  const faults: string[] = []
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue
    try {
      const preset = presetOf(parseTemplate(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
      if (presets.has(preset.id)) throw new Error(`another file has the id ${preset.id}`)
      presets.set(preset.id, preset)
    } catch (error) {
      faults.push(`the preset ${file} is ignored: ${reasonOf(error)}`)
    }
  }
  return { presets, faults }
}

/** One line. Faults of a trial are told by what they are, not by where they would stand in a request. */
function reasonOf(error: unknown): string {
  const { message } = error as Error
  const told = error instanceof Refusal ? error.details.map((detail) => detail.message).join(' ') || message : message
  return told.replaceAll(/\s+/g, ' ')
}
