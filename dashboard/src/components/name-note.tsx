import { Loader, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../api/queries.ts'
import { Icon } from '../ui/icons.tsx'
import { domainOf } from '../util/typed-host.ts'

const typingPauseMs = 250

/** While a person types the name of a zone: whether it can be added, and whether someone hosts it here. */
export function ZoneNameNote({ typed, id }: { typed: string; id: string }) {
  const name = domainOf(typed)
  const [settled] = useDebouncedValue(name, typingPauseMs)
  const isName = /^[^.\s]+(?:\.[^.\s]+)+$/.test(settled)
  const { data, isFetching } = useQuery({ ...queries.zoneAvailability(settled), enabled: isName })
  const isCurrent = settled === name && isName && data !== undefined
  return (
    <Text size="sm" id={id} role="status" aria-live="polite" className="field-note">
      {isName && isFetching && data === undefined && <Loader size="xs" aria-label="Checking the name" />}
      {isCurrent && data.reason === null && (
        <span className="note-good">
          <Icon name="check" size={14} /> You can add {settled}.
        </span>
      )}
      {isCurrent && data.reason !== null && (
        <span className={data.available ? 'note-warning' : 'note-bad'}>
          <Icon name="warning" size={14} /> {data.message}
        </span>
      )}
    </Text>
  )
}
