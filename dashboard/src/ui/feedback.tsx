import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { createContext, type ReactNode, useContext } from 'react'
import { sayFailure } from '../util/say-failure.ts'
import { Icon, type IconName } from './icons.tsx'
import { Marked } from './marked.tsx'
import { Page } from './page.tsx'
import { useLong } from './use-long.ts'

/** Reports whether the page already explains an error, in one place for everything that fails in this way. */
export const Explained = createContext<(error: unknown) => boolean>(() => false)

/** An error, what to do about it, and a button to do it: `action`, or one that tries again. Screen readers announce it when it appears. */
export function Failure({
  error,
  retry,
  title,
  action,
}: {
  error: unknown
  retry?: () => void
  title?: string
  action?: ReactNode
}) {
  const isExplained = useContext(Explained)
  if (error === null || error === undefined || isExplained(error)) return null
  const said = sayFailure(error)
  return (
    <Alert color="red" variant="light" role="alert" title={title ?? said.title} icon={<Icon name="warning" />}>
      <Stack gap="xs">
        <Text size="sm">
          <Marked text={said.message} />
        </Text>
        {said.details.length > 0 && (
          <ul>
            {said.details.map((detail) => (
              <li key={detail}>
                <Marked text={detail} />
              </li>
            ))}
          </ul>
        )}
        {said.reference !== undefined && (
          <Text size="xs" className="quiet">
            For support: {said.reference}
          </Text>
        )}
        {(action || retry) && (
          <Group gap="xs">
            {action}
            {retry && (
              <Button size="xs" variant="default" onClick={retry}>
                Try again
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** In place of a page that cannot be shown: the title of the error is the heading of the page. */
export function FailedPage({ error, retry }: { error: unknown; retry: () => void }) {
  const { title } = sayFailure(error)
  return (
    <Page title={title}>
      <Failure error={error} retry={retry} title="This page could not be loaded" />
    </Page>
  )
}

/** The outline of the rows that are being loaded. It appears after 300 ms (design: dashboard, "Rules"). */
export function Waiting({ what = 'Loading' }: { what?: string }) {
  const isLong = useLong(true, 300)
  return (
    <Stack gap="sm" p="md" mih={120} role="status" aria-live="polite">
      {isLong && (
        <>
          <Text size="sm" className="quiet">
            {what}…
          </Text>
          <div className="skeleton" aria-hidden="true" />
          <div className="skeleton" aria-hidden="true" />
          <div className="skeleton" aria-hidden="true" />
        </>
      )}
    </Stack>
  )
}

/** An empty state: a small drawing, what is empty, and the next step. */
export function Empty({
  title,
  icon = 'zones',
  children,
  action,
}: {
  title: string
  /** What the list contains. */
  icon?: IconName
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" className="card">
      <Drawing icon={icon} />
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

/** Two empty rows, and in front of them an icon of what they would show. */
function Drawing({ icon }: { icon: IconName }) {
  return (
    <div className="drawing" aria-hidden="true">
      <span className="drawing-row" />
      <span className="drawing-row" />
      <span className="drawing-mark">
        <Icon name={icon} size={22} />
      </span>
    </div>
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
