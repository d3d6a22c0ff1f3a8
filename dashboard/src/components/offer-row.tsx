import { Badge, Group, Text } from '@mantine/core'
import type { WireCheckedName } from '@zonewright/contract'
import { ButtonLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { naira } from '../util/money.ts'
import { paths } from '../util/paths.ts'
import { isolated, shownName } from '../util/shown-name.ts'

/** The result for a name: its price, or why it is not available. */
export function OfferRow({ offer }: { offer: WireCheckedName }) {
  const shown = shownName(offer.name)
  const { name, available, premium, reason, message, register_kobo: price, renew_kobo: renewal } = offer
  return (
    <li className="offer">
      <div className="offer-name">
        <Group gap="xs">
          <Text fw={600} className="breakable">
            <Name>{shown}</Name>
          </Text>
          {premium && <Badge className="badge-orange">Premium</Badge>}
          {!available && <Badge className="badge-gray">{reason === 'taken' ? 'Taken' : 'Not available'}</Badge>}
        </Group>
        {!available && message !== null && (
          <Text size="sm" className="quiet breakable">
            {message}
          </Text>
        )}
      </div>
      <div className="offer-price">
        {available && price !== null && (
          <>
            <Text fw={600}>{naira(price)}</Text>
            {renewal !== null && (
              <Text size="xs" className="quiet">
                then {naira(renewal)} a year
              </Text>
            )}
          </>
        )}
      </div>
      <div className="offer-act">
        {available && (
          <ButtonLink size="xs" {...paths.newOrder(name, 'register')} aria-label={`Buy ${isolated(shown)}`}>
            Buy
          </ButtonLink>
        )}
        {reason === 'taken' && (
          <ButtonLink
            size="xs"
            variant="default"
            {...paths.newOrder(name, 'transfer')}
            aria-label={`Transfer ${isolated(shown)} here`}
          >
            Transfer
          </ButtonLink>
        )}
      </div>
    </li>
  )
}
