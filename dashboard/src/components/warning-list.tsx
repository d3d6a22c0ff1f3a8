import { Alert, List, Text } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import type { WireWarning } from '@zonewright/contract'
import { keys } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { Marked } from '../ui/marked.tsx'
import { Names } from '../ui/name.tsx'

type Warnings = readonly WireWarning[]

const mostShown = 50

/** The warnings about a change or its preview: things that are allowed but probably a mistake. */
export function WarningList({ warnings, title, onClose }: { warnings: Warnings; title: string; onClose?: () => void }) {
  if (warnings.length === 0) return null
  const rest = warnings.length - mostShown
  return (
    <Alert
      color="orange"
      variant="light"
      title={title}
      {...(onClose && { withCloseButton: true, closeButtonLabel: 'Close the warnings', onClose })}
    >
      <List size="sm">
        {byLine(warnings)
          .slice(0, mostShown)
          .map(({ name, type, message, line }) => (
            <List.Item key={`${line} ${name} ${type} ${message}`}>
              {line !== undefined && `Line ${line}: `}
              <strong>
                <Names>{`${name} ${type}`}</Names>
              </strong>
              <Marked text={afterSubject(message, `${name} ${type}`)} />
            </List.Item>
          ))}
      </List>
      {rest > 0 && (
        <Text size="sm" mt="xs">
          And {rest.toLocaleString('en')} more.
        </Text>
      )}
    </Alert>
  )
}

/** In the order of the file's lines; warnings without a line come last. */
function byLine(warnings: Warnings): Warnings {
  const lineOf = ({ line }: WireWarning) => line ?? Number.POSITIVE_INFINITY
  return warnings.toSorted((a, b) => (lineOf(a) === lineOf(b) ? 0 : lineOf(a) - lineOf(b)))
}

/** A message after the name and type of its record set. Some messages begin with them. */
function afterSubject(message: string, subject: string): string {
  return message.startsWith(subject) ? message.slice(subject.length) : `: ${message}`
}

/** Stores the warnings of a change that was made, for `WrittenWarnings`. Signing out deletes them. */
export function keepWarnings(zone: string, warnings: Warnings): void {
  queryClient.setQueryData<Warnings>(keys.writtenWarnings(zone), warnings)
}

/** The warnings of the last change of a zone in this tab, until they are closed or the next change is made. */
export function WrittenWarnings({ zone }: { zone: string }) {
  const { data = [] } = useQuery<Warnings>({ queryKey: keys.writtenWarnings(zone), queryFn: skipToken })
  return <WarningList warnings={data} title="Saved, with warnings" onClose={() => keepWarnings(zone, [])} />
}
