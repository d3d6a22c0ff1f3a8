import { Button, Group, Progress, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type Batch, type BatchView, countsOf } from '../util/batch.ts'

/** The progress of a batch, why it waits, and a button to pause or continue it. */
export function BatchProgress<T>({
  of: batch,
  view,
  what,
  each = 1,
  total = batch.items.length,
}: {
  of: Batch<T>
  view: BatchView
  /** What the batch does, for screen readers. */
  what: string
  /** How many things an item represents. */
  each?: number
  total?: number
}) {
  const { waiting, done, failed } = countsOf(view.states)
  const ended = Math.min(total, (done + failed) * each)
  return (
    <div>
      <Progress value={total === 0 ? 100 : (ended / total) * 100} aria-label={what} transitionDuration={100} />
      <Group gap="xs" mt={4}>
        <Text size="sm" role="status" flex="1 1 auto">
          {ended.toLocaleString('en')} of {total.toLocaleString('en')}
          {view.delay !== undefined && (
            <>
              {'. '}
              {view.delay.message} <Countdown untilMs={view.delay.untilMs} />
            </>
          )}
        </Text>
        {view.isRunning ? (
          <Button size="xs" variant="default" onClick={() => batch.pause()}>
            Pause
          </Button>
        ) : (
          waiting > 0 && (
            <Button size="xs" variant="default" onClick={() => void batch.start()}>
              Continue
            </Button>
          )
        )}
      </Group>
    </div>
  )
}

function Countdown({ untilMs }: { untilMs: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <>Trying again in {Math.max(0, Math.ceil((untilMs - now) / 1_000))} s.</>
}
