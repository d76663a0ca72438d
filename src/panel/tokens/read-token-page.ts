import type { ListedToken, TokenListRepository } from '../../auth/tokens/token-list.repository';
import { type Form, uuidOf } from '../http/form';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export async function readTokenPage(
  tokens: TokenListRepository,
  userId: string,
  query: Form,
): Promise<PageOf<ListedToken>> {
  const found = await tokens.page(userId, { after: uuidOf(query, 'after'), limit: PAGE_SIZE + 1 });
  return cutPage(found, ({ id }) => id);
}
