import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '#platform/errors.ts'
import { type Preset, presetOf } from './preset.ts'
import { parseTemplate } from './template.ts'

/** The built-in templates. */
const ownFolder = fileURLToPath(new URL('../../../presets/', import.meta.url))

/** All presets by id, and one line for each template that was left out. */
export interface PresetCatalogue {
  readonly presets: ReadonlyMap<string, Preset>
  readonly faults: readonly string[]
}

/**
 * Reads the built-in templates and those of a folder, which replace built-in ones with the same id.
 *
 * A template with an error is left out, and so is the second of two in the folder with the same id. Built-in ones have no errors, or this throws.
 */
export function readPresets(folder?: string): PresetCatalogue {
  const own = readTemplates(ownFolder, ofJson)
  if (own.faults.length > 0) throw new Error(own.faults.join('\n'))
  const theirs = folder === undefined ? { found: new Map<string, Preset>(), faults: [] } : readTemplates(folder, ofJson)
  const all = [...new Map([...own.found, ...theirs.found])].sort(([a], [b]) => (a < b ? -1 : 1))
  return { presets: new Map(all), faults: theirs.faults.map((fault) => `the preset ${fault}`) }
}

function ofJson(json: unknown): Preset {
  return presetOf(parseTemplate(json))
}

/** The results of `make` for the templates in a folder, by id, and one line for each template left out because `make` throws or because of its id. */
export function readTemplates<T extends { readonly id: string }>(
  folder: string,
  make: (json: unknown) => T,
): { found: Map<string, T>; faults: string[] } {
  const found = new Map<string, T>()
  const faults: string[] = []
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue
    try {
      const one = make(JSON.parse(readFileSync(join(folder, file), 'utf8')))
      if (found.has(one.id)) throw new Error(`another file has the id ${one.id}`)
      found.set(one.id, one)
    } catch (error) {
      faults.push(`${file} is ignored: ${reasonOf(error)}`)
    }
  }
  return { found, faults }
}

/** One line. Errors of a trial are described without their place in a request. */
function reasonOf(error: unknown): string {
  const { message } = error as Error
  const told = error instanceof Refusal ? error.details.map((detail) => detail.message).join(' ') || message : message
  return told.replaceAll(/\s+/g, ' ')
}

/** A preset by its id. Throws `not_found`. */
export function presetNamed(presets: PresetCatalogue['presets'], id: string): Preset {
  const preset = presets.get(id.toLowerCase())
  if (preset === undefined) throw new Refusal('not_found', `The preset ${JSON.stringify(id)} does not exist.`)
  return preset
}
