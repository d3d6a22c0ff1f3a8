import { Button, Group, Paper, Text } from '@mantine/core'
import { useIsFetching } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { slowAfterMs, slowRequests } from '../api/ask-service.ts'
import { refetchStuck } from '../api/query-client.ts'
import { useLong } from '../ui/use-long.ts'

/** Progress is shown after this long (design: dashboard, "Rules"). */
const progressAfterMs = 300

/**
 * A line at the top of the window while the next page is loading, and a sentence with a button if the service takes long, at first load or later.
 * The page below keeps working.
 */
export function SlowNotice() {
  const router = useRouter()
  const isMoving = useRouterState({ select: ({ isLoading }) => isLoading })
  const isFailing = useIsFetching({ predicate: ({ state }) => state.fetchFailureCount > 0 }) > 0
  const slow = useSyncExternalStore(slowRequests.listen, slowRequests.kind)
  const hasProgress = useLong(isMoving, progressAfterMs)
  const isStuck = useLong(isMoving, slowAfterMs)
  const isDown = useLong(isFailing, slowAfterMs)
  const mayRetry = isStuck || isDown || slow === 'read'
  const retry = (): void => {
    // A page that does not arrive cannot be requested a second time, except by a reload.
    if (isStuck) location.assign(router.latestLocation.publicHref)
    else void refetchStuck()
  }
  return (
    <>
      {hasProgress && <div className="page-progress" />}
      <div className="slow-notice" role="status">
        {(mayRetry || slow === 'write') && (
          <Paper withBorder shadow="md" px="md" py="xs" radius="md">
            <Group justify="space-between" gap="sm">
              <Text size="sm">
                {mayRetry
                  ? 'The service is taking longer than usual. You can keep working.'
                  : 'This is taking longer than usual. Keep this page open.'}
              </Text>
              {mayRetry && (
                <Button size="compact-sm" variant="default" onClick={retry}>
                  Try again
                </Button>
              )}
            </Group>
          </Paper>
        )}
      </div>
    </>
  )
}
