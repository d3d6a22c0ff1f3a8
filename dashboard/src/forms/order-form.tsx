import { Checkbox, Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { WireQuote } from '@zonewright/contract'
import { type ReactNode, useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { failedWith } from '../api/failure.ts'
import { queries } from '../api/queries.ts'
import { goToPay } from '../components/leave-site.ts'
import { PriceLines } from '../components/price-lines.tsx'
import { SaveCardChoice } from '../components/save-card-choice.tsx'
import { useRequestKey } from '../components/use-request-key.ts'
import { Failure } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'
import { naira } from '../util/money.ts'
import { orderTitle, yearsText } from '../util/order-words.ts'
import { paths } from '../util/paths.ts'
import { ContactPicker } from './contact-picker.tsx'
import { PromoField } from './promo-field.tsx'

const mostYears = 10

interface OrderFormProps {
  readonly quote: WireQuote
  /** False while a new price is loading, and if there is none for the selection. */
  readonly isCurrent: boolean
  /** Why there is no price. It is shown in place of the price. */
  readonly noPrice?: ReactNode
  /** Why the period is not possible. */
  readonly periodFault: string | undefined
  readonly years: number
  readonly onYears: (years: number) => void
  readonly promoCode: string
  readonly onPromoCode: (code: string) => void
  /** Requests a new price. */
  readonly renewQuote: () => Promise<unknown>
  readonly onOrdered: (id: string) => Promise<void>
}

type PaidBy = 'card' | 'link'

/** The last choices before an order is placed, and the button that places it. */
export function OrderForm(props: OrderFormProps) {
  const { quote, isCurrent, noPrice, periodFault, years, onYears, promoCode, onPromoCode, renewQuote, onOrdered } =
    props
  const { kind, name, requirements } = quote
  const credit = useQuery(queries.credit())
  const [contactId, setContactId] = useState<string>()
  const [authCode, setAuthCode] = useState('')
  const [hasOwnNameservers, setOwnNameservers] = useState(false)
  const [nameservers, setNameservers] = useState('')
  const [autoRenew, setAutoRenew] = useState(true)
  const [useCredit, setUseCredit] = useState(true)
  const [paidBy, setPaidBy] = useState<PaidBy>('card')
  const [savesCard, setSavesCard] = useState(false)
  const [clientEmail, setClientEmail] = useState('')

  const price = quote.amount_kobo - quote.promo_kobo
  const available = credit.data?.available_kobo ?? 0
  const byCredit = useCredit ? Math.min(available, price) : 0
  const due = price - byCredit
  const named = nameservers.split(/[\s,;]+/).filter((one) => one !== '')
  const isRegistering = kind === 'register'

  const requestKey = useRequestKey()
  const order = useMutation({
    mutationFn: async () => {
      const body = {
        quote_id: quote.id,
        ...(requirements.contact && contactId !== undefined && { contact_id: contactId }),
        ...(requirements.auth_code && { auth_code: authCode.trim() }),
        ...(isRegistering && hasOwnNameservers && { nameservers: named }),
        ...(kind !== 'renew' && { auto_renew: autoRenew }),
        ...(paidBy === 'link' && due > 0 && { client_email: clientEmail.trim() }),
        use_credit: useCredit && available > 0,
        expected_due_kobo: due,
      }
      const placed = await call('createOrder', { body, headers: requestKey.headersFor(body) })
      return { placed, next: placed.due_kobo === 0 ? undefined : await goOn(placed, paidBy, savesCard) }
    },
    onSuccess: async ({ placed, next }) => {
      requestKey.done()
      setAuthCode('')
      if (next !== undefined) goToPay(next)
      else await onOrdered(placed.id)
    },
    onError: async (error) => {
      // The shown data is outdated. It is refreshed, and the person checks it before ordering.
      if (failedWith(error, 'price_changed', 'quote_expired', 'insufficient_credit'))
        await Promise.all([renewQuote(), credit.refetch()])
    },
  })
  const lacks = whatIsLacking()
  // The open order has to be paid or cancelled first.
  const mayOrder = lacks === undefined && isCurrent && !failedWith(order.error, 'order_open')

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (mayOrder) order.mutate()
      }}
    >
      <div className="order-columns">
        <Stack>
          {kind !== 'transfer' && (
            <Section title={isRegistering ? 'Period' : 'Renewal period'}>
              <Select
                aria-label="Years"
                data={Array.from({ length: mostYears }, (_, i) => ({ value: String(i + 1), label: yearsText(i + 1) }))}
                value={String(years)}
                allowDeselect={false}
                error={periodFault}
                styles={{ wrapper: { maxWidth: 200 } }}
                onChange={(value) => onYears(Number(value ?? '1'))}
              />
              {kind !== 'renew' && (
                <Text size="sm" className="quiet">
                  Renewal: {naira(quote.renewal_kobo)} a year at current prices.
                </Text>
              )}
            </Section>
          )}
          {requirements.auth_code && (
            <Section
              title="From the current registrar"
              lead="Unlock the domain there and get its transfer code. The transfer takes a few days, adds a year, and changes no records."
            >
              <TextInput
                label="Transfer code"
                required
                withAsterisk={false}
                maxLength={255}
                autoComplete="off"
                spellCheck={false}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                value={authCode}
                onChange={(event) => setAuthCode(event.currentTarget.value)}
              />
            </Section>
          )}
          {requirements.contact && (
            <Section title="Registrant" lead="The domain is registered to this contact.">
              <ContactPicker
                value={contactId}
                fields={requirements.contact_fields}
                error={failedWith(order.error, 'contact_invalid') ? order.error : undefined}
                onChange={(id) => {
                  setContactId(id)
                  order.reset()
                }}
              />
            </Section>
          )}
          {kind !== 'renew' && (
            <Section title="Domain settings">
              <Checkbox
                label="Auto-renew"
                description="Your credit pays if it covers the price. Otherwise we charge a card that you allow, or email you a payment link in time."
                checked={autoRenew}
                onChange={(event) => setAutoRenew(event.currentTarget.checked)}
              />
              {isRegistering && (
                <>
                  <Radio.Group
                    label="Nameservers"
                    value={hasOwnNameservers ? 'own' : 'ours'}
                    onChange={(value) => setOwnNameservers(value === 'own')}
                  >
                    <Stack gap={6} mt={4}>
                      <Radio value="ours" label="Ours: the zone is ready immediately" />
                      <Radio value="own" label="Others" />
                    </Stack>
                  </Radio.Group>
                  {hasOwnNameservers && (
                    <Textarea
                      label="Which nameservers"
                      description="Two to thirteen, one per line."
                      autosize
                      minRows={2}
                      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                      value={nameservers}
                      spellCheck={false}
                      onChange={(event) => setNameservers(event.currentTarget.value)}
                    />
                  )}
                </>
              )}
            </Section>
          )}
        </Stack>
        <Stack className="order-bill">
          <Section title="To pay">
            <PromoField quote={quote} years={years} value={promoCode} onChange={onPromoCode} />
            {available > 0 && (
              <Checkbox
                label="Use my credit"
                description={`${naira(available)} is available.`}
                checked={useCredit}
                onChange={(event) => setUseCredit(event.currentTarget.checked)}
              />
            )}
            {noPrice ?? (
              <div aria-live="polite" aria-busy={!isCurrent} className={isCurrent ? '' : 'fading'}>
                <PriceLines
                  lines={[
                    [
                      `${orderTitle(quote)}${kind === 'transfer' ? '' : `, ${yearsText(quote.years)}`}`,
                      quote.amount_kobo,
                    ],
                    [`Promo code ${quote.promo_code}`, -quote.promo_kobo],
                    ['Credit', -byCredit],
                  ]}
                  total={['Due now', due]}
                />
              </div>
            )}
            {quote.premium && (
              <Text size="sm">This is a premium name. The price includes the special price of its registry.</Text>
            )}
            {due > 0 && (
              <Radio.Group label="Payment method" value={paidBy} onChange={(value) => setPaidBy(value as PaidBy)}>
                <Stack gap={6} mt={4}>
                  <Radio value="card" label="My card, now" />
                  <Radio value="link" label="Someone else, with a payment link" />
                </Stack>
              </Radio.Group>
            )}
            {due > 0 && paidBy === 'card' && (
              <SaveCardChoice renewsThis={kind !== 'renew' && autoRenew} checked={savesCard} onChange={setSavesCard} />
            )}
            {due > 0 && paidBy === 'link' && (
              <TextInput
                label="Email the link to"
                description="Leave it empty to send the link yourself."
                type="email"
                maxLength={254}
                autoComplete="off"
                value={clientEmail}
                onChange={(event) => setClientEmail(event.currentTarget.value)}
              />
            )}
            <OrderFailure error={order.error} name={name} retry={() => order.mutate()} />
            {credit.data === undefined && <Failure error={credit.error} retry={() => void credit.refetch()} />}
            {lacks !== undefined && (
              <Text size="sm" className="quiet">
                {lacks}
              </Text>
            )}
            <MainButton type="submit" fullWidth loading={order.isPending} disabled={!mayOrder}>
              {noPrice === undefined ? actionText(due, paidBy) : 'Place order'}
            </MainButton>
            {noPrice === undefined && (
              <Text size="xs" className="quiet">
                This price expires <When at={quote.expires_at} />.
              </Text>
            )}
          </Section>
        </Stack>
      </div>
    </form>
  )

  function whatIsLacking(): string | undefined {
    // If the credit were not read, it would count as zero, and the card would pay the whole price.
    if (credit.data === undefined) return credit.error ? 'Your credit could not be read.' : 'Your credit is being read.'
    if (requirements.auth_code && authCode.trim() === '') return 'Enter the transfer code.'
    if (requirements.contact && contactId === undefined) return 'Choose the registrant.'
    if (isRegistering && hasOwnNameservers && named.length < 2) return 'Name at least two nameservers.'
    return undefined
  }
}

/** Where a placed order is paid: the URL of the card page; undefined: on the order's own page. */
async function goOn(placed: Answer<'createOrder'>, paidBy: PaidBy, savesCard: boolean): Promise<string | undefined> {
  const params = { id: placed.id }
  try {
    if (paidBy === 'card') return (await call('startCheckout', { params, body: { save_card: savesCard } })).url
    await call('createPayLink', { params })
  } catch {
    toast('The order was placed, but the next step failed. Try it again here.')
  }
  return undefined
}

function actionText(due: number, paidBy: PaidBy): string {
  if (due === 0) return 'Place order'
  return paidBy === 'card' ? `Order and pay ${naira(due)} by card` : 'Order and create a payment link'
}

function OrderFailure({ error, name, retry }: { error: unknown; name: string; retry: () => void }): ReactNode {
  // Shown at the selection of the contact.
  if (failedWith(error, 'contact_invalid')) return null
  if (!failedWith(error, 'order_open')) return <Failure error={error} />
  const show = (
    <ButtonLink size="xs" variant="default" {...paths.orders({ name })}>
      Show that order
    </ButtonLink>
  )
  return <Failure error={error} action={show} retry={retry} />
}
