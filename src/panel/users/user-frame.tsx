import type { ComponentChildren } from 'preact';
import { Badge, useMessages } from '../layout/components';
import { tabPath, userPath } from './user-by-id.pipe';
import { USER_TABS, type UserFrameProps, type UserTab } from './user-page.props';

/** Who it is, and the way to the other parts of the page: each has an address of its own. */
export function UserFrame({
  user,
  balance,
  tab,
  children,
}: UserFrameProps & { readonly tab: UserTab; readonly children: ComponentChildren }) {
  const messages = useMessages('user');
  const disabled = user.disabledAt !== null;
  const isLow = balance.lowBalanceSun !== null && balance.availableSun < balance.lowBalanceSun;
  return (
    <>
      <h1>{user.email}</h1>
      <p class="buttons">
        <span>{user.name}</span>
        <Badge tone={disabled ? 'bad' : 'good'}>{disabled ? messages.disabled : messages.active}</Badge>
        {user.operator && <Badge tone="quiet">{messages.operator}</Badge>}
        {isLow && <Badge tone="busy">{messages.low}</Badge>}
        <a href={`${userPath(user)}/tokens`}>{messages.tokens}</a>
        <a href={`/panel/operator/orders?user=${encodeURIComponent(user.email)}`}>{messages.orders}</a>
        <a href={`/panel/operator/audit-log?subject=${encodeURIComponent(`user ${user.email}`)}`}>{messages.log}</a>
      </p>
      <nav class="tabs" aria-label={messages.sections}>
        {USER_TABS.map((one) => (
          <a key={one} href={tabPath(user, one)} aria-current={one === tab ? 'page' : undefined}>
            {messages.tabs[one]}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}
