import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '../common/http/described';
import { RequirePermission } from '../auth/access.decorator';
import { convert } from '../common/convert';
import { ServiceError } from '../common/errors/service.error';
import { OnlyQueryFields } from '../common/http/query.guard';
import { isAbsent } from '../common/validation/php-values';
import { CurrentUser, type RequestUser } from '../users/request-user';
import { QuoteQuery, QuoteQueryDto } from './dto/quote-query.dto';
import { QuoteResponse, quoteResponse } from './dto/quote.response';
import { MakeQuote } from './make-quote';

@Controller('api/chain')
@RequirePermission('delegate')
export class QuoteController {
  constructor(private readonly makeQuote: MakeQuote) {}

  @Get('quote')
  @OnlyQueryFields(QuoteQueryDto)
  @ApiOkResponse({ description: 'What the order would be and cost now', type: QuoteResponse })
  async quote(@CurrentUser() user: RequestUser, @Query() query: QuoteQueryDto): Promise<QuoteResponse> {
    const asked = convert(QuoteQuery, query);
    if (asked.recipient === null && namesTransfer(query)) {
      const details = { to: ['The to field is required with token or value.'] };
      throw new ServiceError('VALIDATION_FAILED', 'Quote of a transfer without its recipient', { details });
    }
    return quoteResponse(await this.makeQuote.make(user, asked));
  }
}

/** Without its recipient no transfer is sized: the answer would be for one transaction, where a first transfer takes two. */
function namesTransfer({ token, value }: QuoteQueryDto): boolean {
  return !isAbsent(token) || !isAbsent(value);
}
