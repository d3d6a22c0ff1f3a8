import { Alert, Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { sayFailure } from '../util/say-failure.ts'
import { Icon } from './icons.tsx'

/** An error, what to do about it, and a button to do it. Screen readers announce it when it appears. */
export function Failure({ error, retry, title }: { error: unknown; retry?: () => void; title?: string }) {
  if (error === null || error === undefined) return null
  const said = sayFailure(error)
  return (
    <Alert color="red" variant="light" role="alert" title={title ?? said.title} icon={<Icon name="warning" />}>
      <Stack gap="xs">
        <Text size="sm">{said.message}</Text>
        {said.details.length > 0 && (
          <ul>
            {said.details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        {said.reference !== undefined && (
          <Text size="xs" className="quiet">
            For support: {said.reference}
          </Text>
        )}
        {retry && (
          <Group>
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** A loading indicator that appears after 300 ms (design: dashboard, "Rules"). */
export function Waiting({ what = 'Loading' }: { what?: string }) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 300)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Group gap="sm" p="md" mih={52} role="status" aria-live="polite">
      {isLong && (
        <>
          <Loader size="sm" aria-hidden="true" />
          <Text size="sm" className="quiet">
            {what}…
          </Text>
        </>
      )}
    </Group>
  )
}

/** An empty state with the next step. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" className="card">
      <Title order={2}>{title}</Title>
      {children !== undefined && (
        <Text ta="center" className="quiet" maw={520}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}

/** The state of a query: loading, failed, or its result. */
export function Loaded<T>({
  of: { data, error, refetch },
  what,
  children,
}: {
  of: { data: T | undefined; error: unknown; refetch: () => unknown }
  what?: string
  children: (data: T) => ReactNode
}) {
  if (data !== undefined)
    return (
      <>
        {error !== null && error !== undefined && <Failure error={error} retry={() => void refetch()} />}
        {children(data)}
      </>
    )
  if (error) return <Failure error={error} retry={() => void refetch()} />
  return <Waiting {...(what !== undefined && { what })} />
}
