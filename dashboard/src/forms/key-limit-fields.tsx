import { Checkbox, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import type { TypedLimit } from '../util/key-limits.ts'
import type { ScopeChoice } from '../util/scope-choices.ts'

const nothing: TypedLimit = { names: '', types: '' }

/** The limits of a key: names and types for each of its zones. */
export function KeyLimitFields({
  zones,
  typed,
  isFixed = false,
  onChange,
}: {
  zones: readonly ScopeChoice[]
  /** By the ids of the zones; undefined: the key has no limits. */
  typed: Readonly<Record<string, TypedLimit>> | undefined
  /** A key that has limits keeps them. */
  isFixed?: boolean
  onChange: (typed: Readonly<Record<string, TypedLimit>> | undefined) => void
}) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="Only some records"
        description="Limits the key to names and types. A limited key covers no domains."
        checked={typed !== undefined}
        disabled={isFixed}
        onChange={(event) => onChange(event.currentTarget.checked ? {} : undefined)}
      />
      {typed !== undefined && zones.length === 0 && <Text size="sm">Choose the zones first.</Text>}
      {typed !== undefined &&
        zones.map(({ id, name }) => {
          const limit = typed[id] ?? nothing
          const change = (more: Partial<TypedLimit>) => onChange({ ...typed, [id]: { ...limit, ...more } })
          return (
            <Fieldset key={id} legend={name}>
              <Group align="flex-start" grow preventGrowOverflow={false}>
                <TextInput
                  label={`Names in ${name}`}
                  description="home is one name, *.lan all names below lan, @ the zone itself."
                  placeholder="home, *.lan"
                  value={limit.names}
                  autoComplete="off"
                  onChange={(event) => change({ names: event.currentTarget.value })}
                />
                <TextInput
                  label={`Types in ${name}`}
                  description="Each record type, such as A or TXT."
                  placeholder="A, AAAA"
                  value={limit.types}
                  autoComplete="off"
                  onChange={(event) => change({ types: event.currentTarget.value })}
                />
              </Group>
            </Fieldset>
          )
        })}
    </Stack>
  )
}
