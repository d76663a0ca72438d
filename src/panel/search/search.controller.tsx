import { Get, Query } from '@nestjs/common';
import { type Form, textOf } from '../http/form';
import { ThisVisit, type UserVisit } from '../http/visit';
import { PanelController } from '../http/panel-controller.decorator';
import { Page, type Reply, SeeOther } from '../http/reply';
import { BlockExplorer } from '../orders/block-explorer';
import { type Found, PanelSearch } from './panel-search';
import { hrefsOf, SearchPage } from './search.page';
import { readSearchText } from './search-text';

const NOTHING: Found = { orders: [], users: [], wallets: [], movements: [], attempts: [] };

@PanelController('search', 'user')
export class SearchController {
  constructor(
    private readonly search: PanelSearch,
    private readonly explorer: BlockExplorer,
  ) {}

  /** What is found alone is where the reader wanted to go. Movements and refused attempts have no page of their own: they are shown. */
  @Get()
  async find(@ThisVisit() visit: UserVisit, @Query() query: Form): Promise<Reply> {
    const text = textOf(query, 'q');
    const found = text === '' ? NOTHING : await this.search.find(text, visit.user);
    const [only, ...others] = hrefsOf(found, visit.user);
    const isShown = found.movements.length > 0 || found.attempts.length > 0;
    if (only !== undefined && others.length === 0 && !isShown) return new SeeOther(only);
    const elsewhere = only === undefined && !isShown ? await this.explorer.urlOf(readSearchText(text).text) : null;
    return new Page(visit.messages.search.title, <SearchPage text={text} found={found} elsewhere={elsewhere} />);
  }
}
