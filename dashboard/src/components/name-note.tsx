import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../api/queries.ts'
import { FieldNote } from '../ui/field-note.tsx'
import { domainOf } from '../util/typed-host.ts'

const typingPauseMs = 250

/** While a person types the name of a zone: whether it can be added, and whether someone hosts it here. */
export function ZoneNameNote({ typed, id }: { typed: string; id: string }) {
  const name = domainOf(typed)
  const [settled] = useDebouncedValue(name, typingPauseMs)
  const isName = /^[^.\s]+(?:\.[^.\s]+)+$/.test(settled)
  const { data, isFetching } = useQuery({ ...queries.zoneAvailability(settled), enabled: isName })
  const isCurrent = settled === name && isName && data !== undefined
  const tone = data?.reason === null ? 'good' : data?.available ? 'warning' : 'bad'
  const text = data?.reason === null ? `You can add ${settled}.` : data?.message
  return <FieldNote id={id} isChecking={isName && isFetching} note={isCurrent ? { tone, text } : undefined} />
}
