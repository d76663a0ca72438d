import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequirePermission } from '../auth/access.decorator';
import { convert } from '../common/convert';
import { QueryFields } from '../common/http/query.guard';
import { CurrentUser, type RequestUser } from '../users/request-user';
import { QuoteQuery, QuoteQueryDto } from './dto/quote-query.dto';
import { QuoteResponse, quoteResponse } from './dto/quote.response';
import { MakeQuote } from './make-quote';

@Controller('api/chain')
@RequirePermission('delegate')
export class QuoteController {
  constructor(private readonly makeQuote: MakeQuote) {}

  @Get('quote')
  @QueryFields(QuoteQueryDto)
  @ApiOkResponse({ description: 'What the order would be and cost now', type: QuoteResponse })
  async quote(@CurrentUser() user: RequestUser, @Query() query: QuoteQueryDto): Promise<QuoteResponse> {
    return quoteResponse(await this.makeQuote.make(user, convert(QuoteQuery, query)));
  }
}
