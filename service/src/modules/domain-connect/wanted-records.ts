import { fillTemplate, parametersOf, type Template, type WantedRecord } from '#modules/presets/index.ts'
import { Refusal } from '#platform/errors.ts'
import { type ConnectRequest, refused } from './connect-request.ts'

/**
 * The records that a link sets in a zone. Of the parameters of the link, only the variables of the template count.
 *
 * `groupId` selects groups of records. Records without a group are always set. Unlike with a preset, every variable must have a value.
 *
 * Throws a Refusal that lists every error at once.
 */
export function wantedRecords(
  template: Template,
  zone: string,
  { parameters }: Pick<ConnectRequest, 'parameters'>,
): WantedRecord[] {
  const groups = parameters.get('groupId')?.split(',') ?? []
  const isChosen = (group: string | undefined): boolean =>
    group === undefined || groups.length === 0 || groups.includes(group)
  const records = template.records.filter(({ group }) => isChosen(group))
  if (records.length === 0)
    throw refused('unknown_group', 'The link selects groups of records that the template does not have.')
  const chosen: Template = { ...template, records: records.map((record) => ({ ...record, group: undefined })) }
  if (!hostForm.test(parameters.get('host') ?? ''))
    throw Refusal.of([{ path: '/parameters/host', code: 'bad_name', message: 'The host of the link is not a name.' }])
  const values = parametersOf(chosen).flatMap(({ name }): [string, string][] => {
    const value = parameters.get(name)
    return value === undefined ? [] : [[name, value]]
  })
  // Includes control characters at the ends of a value, which a preset ignores.
  const faults = values.flatMap(([name, value]) =>
    /\p{Cc}/u.test(value)
      ? [{ path: `/parameters/${name}`, code: 'invalid', message: `${name} has control characters.` }]
      : [],
  )
  if (faults.length > 0) throw Refusal.of(faults)
  return fillTemplate(chosen, zone, Object.fromEntries(values))
}

/** A name, `@` or nothing. Only a template can set records for all names below a name (`*`). */
const hostForm = /^(@|([a-z0-9_-]+\.)*[a-z0-9_-]+\.?)?$/i
