import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTitle } from '../ui/page.tsx'
import { Logo } from './logo.tsx'

/** The frame of the pages for people who are not signed in. */
export function AuthFrame({
  title,
  lead,
  children,
  foot,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
  foot?: ReactNode
}) {
  useTitle(title)
  return (
    <main className="auth-page" tabIndex={-1}>
      <Stack className="auth-card" gap="lg">
        <Group justify="center">
          <Logo />
        </Group>
        <Stack className="card" p="xl" gap="md">
          <Stack gap={4}>
            <Title order={1}>{title}</Title>
            {lead !== undefined && <Text className="quiet">{lead}</Text>}
          </Stack>
          {children}
        </Stack>
        {foot !== undefined && (
          <Text size="sm" ta="center" component="div">
            {foot}
          </Text>
        )}
      </Stack>
    </main>
  )
}
