import { CopyButton, PostButton, useMessages } from '../layout/components';

/** The address at which everybody sees the receipt, or the button that makes one. */
export function SharedReceipt({ path, url }: { readonly path: string; readonly url: string | null }) {
  const messages = useMessages('order');
  if (url === null) {
    return (
      <>
        <PostButton action={`${path}/share`} compact class="secondary" text={messages.share} />
        <small class="beneath">{messages.shareHint}</small>
      </>
    );
  }
  return (
    <>
      <a href={url} id="shared-receipt" class="breakable">
        {url}
      </a>{' '}
      <CopyButton source="shared-receipt" name={messages.copyLink} done={messages.linkCopied} />
      <PostButton action={`${path}/withdraw`} compact class="secondary" text={messages.withdraw} />
      <small class="beneath">{messages.withdrawHint}</small>
    </>
  );
}
