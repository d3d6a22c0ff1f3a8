import type { WirePreset } from '@zonewright/contract'
import { planChange } from '#modules/records/index.ts'
import { fillTemplate } from './fill-template.ts'
import { planPreset } from './plan-preset.ts'
import type { Template, TemplateField } from './template.ts'
import { namesIn, type Parameter, parametersOf } from './variables.ts'

/** A template that can be applied. */
export interface Preset {
  readonly id: string
  readonly template: Template
  readonly parameters: readonly Parameter[]
}

/**
 * Creates the preset of a valid template: its records are tested on an empty zone, with the examples of its parameters.
 *
 * Throws an Error that says what is wrong. Records that need parameters without examples cannot be tested.
 */
export function presetOf(template: Template): Preset {
  const parameters = parametersOf(template)
  const examples = new Map(parameters.flatMap(({ name, example }) => (example === '' ? [] : [[name, example]])))
  const records = template.records
    .filter((record) => namesIn(record).every((name) => examples.has(name)))
    .map((record) => ({ ...record, group: undefined }))
  tryOut({ ...template, records }, examples)
  return { id: idOf(template), template, parameters }
}

function tryOut(template: Template, examples: ReadonlyMap<string, string>): void {
  const needed = parametersOf(template).filter(({ required }) => required)
  const values = needed.map(({ name }) => [name, examples.get(name) ?? ''])
  const changes = planPreset([], fillTemplate(template, 'example.com', Object.fromEntries(values)))
  planChange({ rrsetCount: 0, bytes: 0, rrsetLimit: null }, [], changes, String)
}

/** The format of template file names: provider and service, with a dot between. */
function idOf({ providerId, serviceId }: Template): string {
  return `${providerId}.${serviceId}`.toLowerCase()
}

export function presetToWire({ id, template, parameters }: Preset): WirePreset {
  const { providerId, serviceId, serviceName, description, records } = template
  return {
    id,
    provider: providerId,
    service: serviceId,
    title: serviceName,
    description,
    parameters: parameters.map((parameter) => ({ ...parameter })),
    records: records.map(({ owner, type, ttl, data, group }) => ({
      name: owner.text,
      type,
      ttl: type === 'SPFM' || !/^\d+$/.test(ttl.text) ? null : Number(ttl.text),
      record: data.map(shown).join(' '),
      group: group ?? null,
    })),
  }
}

/** Hosts are absolute, and are shown as such. */
function shown({ kind, text }: TemplateField): string {
  return kind === 'host' && text !== '@' ? `${text.replace(/\.$/, '')}.` : text
}
