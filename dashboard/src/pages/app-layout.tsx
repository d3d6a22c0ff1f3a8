import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Menu,
  NavLink,
  type NavLinkProps,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useWindowEvent } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { createLink, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { type Ref, useEffect, useState } from 'react'
import { auth } from '../api/auth.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { useLeaveQuestion } from '../components/leave-site.ts'
import { Logo } from '../components/logo.tsx'
import { SearchButton } from '../components/search-button.tsx'
import { countEdits, forgetEdits } from '../components/use-edits.ts'
import { useLeave } from '../components/use-leave.ts'
import { useUpdates } from '../components/use-updates.ts'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Failure, Waiting } from '../ui/feedback.tsx'
import { Icon, type IconName } from '../ui/icons.tsx'
import { PlainLink } from '../ui/links.tsx'
import { brand } from '../util/brand.ts'
import { changesText, unsavedText } from '../util/edits.ts'
import { paths } from '../util/paths.ts'
import { SessionLostDialog } from './session-lost-dialog.tsx'

interface NavToProps extends NavLinkProps {
  readonly icon: IconName
  readonly href?: string
  readonly 'aria-current'?: 'page'
  readonly ref?: Ref<HTMLAnchorElement>
}

const NavTo = createLink(({ icon, ...props }: NavToProps) => {
  const elsewhere = useLocation({ select: menuEntryOf })
  const isCurrent = elsewhere === undefined ? props['aria-current'] === 'page' : elsewhere === props.label
  return (
    <NavLink
      component="a"
      {...props}
      aria-current={isCurrent ? 'page' : undefined}
      leftSection={<Icon name={icon} />}
    />
  )
})

/** The label of the menu entry that leads to a page, if the path of the page does not say which. */
function menuEntryOf({ pathname, search }: { pathname: string; search: { kind?: string } }): string | undefined {
  if (pathname === '/contacts') return 'Buy a domain'
  if (pathname === '/credit') return 'Account'
  if (pathname === '/domain-connect') return 'Zones'
  return pathname.startsWith('/buy/') && search.kind === 'renew' ? 'Domains' : undefined
}

/** The frame of every page of a signed-in person. */
export function AppLayout() {
  const [isOpen, menu] = useDisclosure(false)
  const isSame = useSameAccount()
  useLeaveQuestion()
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
      transitionDuration={120}
    >
      <AppShell.Header>
        <a className="skip-link" href="#content">
          Skip to the content
        </a>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={isOpen}
            />
            <PlainLink {...paths.zones()} className="plain" aria-label={`${brand.name}: your zones`}>
              <Logo />
            </PlainLink>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <SchemeButton />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className="menu" aria-label="Main" onClick={menu.close}>
        <NavTo {...paths.zones()} icon="zones" label="Zones" />
        <NavTo {...paths.domains()} icon="domain" label="Domains" activeOptions={{ includeSearch: false }} />
        <NavTo {...paths.buy()} icon="search" label="Buy a domain" activeOptions={{ includeSearch: false }} />
        <NavTo {...paths.orders()} icon="order" label="Orders" activeOptions={{ includeSearch: false }} />
        <NavTo {...paths.keys()} icon="key" label="API keys" />
        <NavTo
          {...paths.connectClient()}
          icon="plug"
          label="Connect a client"
          activeOptions={{ includeSearch: false }}
        />
        <NavTo {...paths.webhooks()} icon="webhook" label="Webhooks" />
        <NavTo {...paths.audit()} icon="audit" label="Audit log" />
        <NavTo {...paths.account()} icon="account" label="Account" />
        <NavLink
          component="a"
          href={paths.docs()}
          target="_blank"
          rel="noreferrer"
          label="Documentation"
          leftSection={<Icon name="book" />}
        />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div className="content">{isSame ? <Outlet /> : <Waiting what="Loading your account" />}</div>
      </AppShell.Main>
      <SessionLostDialog />
    </AppShell>
  )
}

/**
 * Whether the signed-in person is the one whose pages are shown. Someone else may have signed in in another tab. Then all data of the former
 * account is deleted, and the list of zones opens.
 */
function useSameAccount(): boolean {
  const account = useQuery(queries.account())
  const navigate = useNavigate()
  const id = account.data?.id
  const [shown, setShown] = useState(id)
  useUpdates(id)
  // In addition to the refresh when the tab is shown again, because two windows can be visible at the same time.
  useWindowEvent('focus', () => void account.refetch({ cancelRefetch: false }))
  useEffect(() => {
    if (id === undefined) return
    forgetEdits({ exceptOf: id })
    if (id === shown) return
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.account[0] })
    queryClient.getMutationCache().clear()
    void navigate(paths.zones()).then(() => setShown(id))
  }, [id, shown, navigate])
  return id === shown
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={isDark ? 'Use light colors' : 'Use dark colors'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </ActionIcon>
  )
}

function AccountMenu() {
  const { data: account } = useQuery(queries.account())
  const navigate = useNavigate()
  const leave = useLeave()
  const signOut = useMutation({ mutationFn: auth.signOut, onSuccess: leave })
  /** The number of edits that would be lost. If there are any, the person is asked first. */
  const [atStake, setAtStake] = useState(0)
  const askFirst = (): void => {
    const count = countEdits()
    setAtStake(count)
    if (count === 0) signOut.mutate()
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Account menu">
            <Icon name="account" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Text size="sm" px="sm" py={4} className="quiet">
            {account?.email}
          </Text>
          <Menu.Item onClick={() => void navigate(paths.account())}>Account</Menu.Item>
          <Menu.Item component="a" href={paths.reference} target="_blank" rel="noreferrer">
            API reference
          </Menu.Item>
          {brand.links.map(({ label, url }) => (
            <Menu.Item key={label} component="a" href={url} target="_blank" rel="noreferrer">
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={askFirst}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={atStake > 0}
        title="Sign out"
        action={`Sign out and discard ${changesText(atStake)}`}
        onConfirm={() => {
          setAtStake(0)
          signOut.mutate()
        }}
        onClose={() => setAtStake(0)}
      >
        Signing out discards {unsavedText(atStake)} to your records.
      </ConfirmDialog>
      {signOut.error && (
        <Dialog title="You are still signed in" onClose={signOut.reset}>
          <Failure error={signOut.error} retry={() => signOut.mutate()} />
        </Dialog>
      )}
    </>
  )
}
