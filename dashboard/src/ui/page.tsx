import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Bell } from '../util/bell.ts'
import { brand } from '../util/brand.ts'
import { isolated, shownName } from '../util/shown-name.ts'

/** A page: its only main heading, its actions, and its content. The heading is also the title of the tab. */
export function Page({
  title,
  badges,
  within,
  lead,
  actions,
  children,
}: {
  title: string
  badges?: ReactNode
  /** The links to the parent pages, such as the list that this page belongs to. */
  within?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useTitle(title)
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex="1 1 260px">
          {within !== undefined && <Breadcrumb>{within}</Breadcrumb>}
          <Heading badges={badges}>
            <Title order={1}>{title}</Title>
          </Heading>
          {lead !== undefined && <Text className="quiet">{lead}</Text>}
        </Stack>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}

/** The main heading of a page, with the badges of its subject: after it, or on a phone in one row below it. */
export function Heading({ badges, children }: { badges: ReactNode; children: ReactNode }) {
  return (
    <Group gap="8px 12px">
      {children}
      {badges && (
        <Group gap="xs" className="heading-badges">
          {badges}
        </Group>
      )}
    </Group>
  )
}

/** The link to the page above this one. The heading of the page follows it, so it does not repeat the page's own title. */
export function Breadcrumb({ children }: { children: ReactNode }) {
  return (
    <nav aria-label="Breadcrumb" className="breadcrumb">
      {children}
    </nav>
  )
}

/** A section of a page with its own heading. */
export function Section({
  title,
  lead,
  children,
  actions,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <Stack gap="sm" p="md" className="card" component="section" aria-label={title}>
      <Group justify="space-between" align="center">
        <Title order={2}>{title}</Title>
        {actions}
      </Group>
      {lead !== undefined && (
        <Text size="sm" className="quiet">
          {lead}
        </Text>
      )}
      {children}
    </Stack>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${isolated(shownName(title))} · ${brand.name}`
    titleChanged.tell()
  }, [title])
}

/** The title of the page is different. */
export const titleChanged = new Bell()
