// Made from openapi.json by npm run clients:types.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        DelegateRequest: {
            /**
             * @description Receives the energy
             * @example TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb
             */
            receiver_address: string;
            /**
             * Format: double
             * @description Number of transactions to order energy for. Fractions are allowed. Rounded up at the 40th digit
             * @example 1
             */
            amount: number;
            /**
             * @description Rental time in minutes. It never changes the price, and changes the reclaim only if operators say so; 10 when it is left out
             * @enum {integer|null}
             */
            time?: 10 | 1440 | null;
            /** @description Activate a receiver that does not exist on the chain yet, for 1.5 TRX */
            activate_address?: boolean | null;
            /**
             * Format: double
             * @description Refuses an order that would cost more, activation included, and holds nothing for it. Rounded to the nearest millionth
             */
            max_cost?: number | null;
        };
        DelegateResult: {
            /** @description Always true */
            success: boolean;
            /** @description Always 委托成功 */
            message: string;
            /** @description Id of the transaction that delegates the energy */
            txid: string;
            /**
             * Format: double
             * @description Only in variant B: what the order costs, 0 when quota pays
             */
            cost?: number;
        };
        /** @enum {string} */
        OrderState: "pending" | "activating" | "sent" | "included" | "delegated" | "reclaiming" | "reclaimed" | "failed" | "taking_back" | "taken_back";
        /**
         * @description How the order was answered
         * @enum {string}
         */
        OrderAnswer: "none" | "success" | "failure";
        /** @enum {string} */
        Payer: "subscription" | "balance";
        Order: {
            /** Format: uuid */
            id: string;
            state: components["schemas"]["OrderState"];
            /** @description How the order was answered */
            answer: components["schemas"]["OrderAnswer"];
            receiver_address: string;
            /**
             * Format: double
             * @description Transactions that energy was ordered for
             */
            amount: number;
            /**
             * Format: int64
             * @description Energy that was ordered
             */
            energy: number;
            /**
             * @description Rental time in minutes, as ordered
             * @enum {integer}
             */
            time: 10 | 1440;
            /**
             * Format: double
             * @description What the order costs. 0 for an order that failed
             */
            cost: number;
            paid_by: components["schemas"]["Payer"];
            /** @description Transaction that delegates the energy */
            txid: string | null;
            /** @description Transaction that activates the receiver, if that was needed */
            activation_txid: string | null;
            /** @description Transaction that takes the energy back */
            reclaim_txid: string | null;
            idempotency_key: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            answered_at: string | null;
            /**
             * Format: date-time
             * @description Time of the block that has the delegation
             */
            delegated_at: string | null;
            /** Format: date-time */
            reclaim_due_at: string | null;
            /** Format: date-time */
            reclaimed_at: string | null;
        };
        OrderPage: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Order"][];
            /**
             * Format: uuid
             * @description `before` for the next page. null on the last page
             */
            next_before: string | null;
        };
        OrderResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Order"];
        };
        ReceiptBranchStep: {
            /**
             * @description Side of the hash next to what was computed so far
             * @enum {string}
             */
            side: "left" | "right";
            hash: string;
        };
        ReceiptPostQuantumSignature: {
            /** @description FN_DSA_512, or a scheme that `receipt:verify` names but does not verify */
            scheme: string;
            /** @description The last 20 bytes of its Keccak-256, after 41, are the signing address */
            public_key: string;
            /** @description Signature of the bytes' SHA-256 */
            signature: string;
        };
        /** @description A block header with its `signature` or `pq_auth_sig` */
        ReceiptHeader: {
            /** @description protocol.BlockHeader.raw */
            bytes: string;
            /** @description Signature of the witness over the bytes' SHA-256: r, s and v, which is 0 or 1 */
            signature?: string;
            /** @description From a witness with a post-quantum key */
            pq_auth_sig?: components["schemas"]["ReceiptPostQuantumSignature"];
        };
        ReceiptWitness: {
            address: string;
            /** @description The witness is active: it makes blocks */
            isJobs: boolean;
            /** @description Address of the key that the witness signs blocks with */
            signing_address: string;
        };
        Receipt: {
            txid: string;
            receiver_address: string;
            /**
             * Format: double
             * @description TRX whose energy was delegated
             */
            stake: number;
            /** Format: int64 */
            block_number: number;
            block_id: string;
            /** Format: date-time */
            block_time: string;
            /** @description protocol.Transaction as it is in the block, with signature and result */
            transaction: string;
            /** @description From the transaction's hash up to the block's root */
            branch: components["schemas"]["ReceiptBranchStep"][];
            /** @description Header of the block */
            header: components["schemas"]["ReceiptHeader"];
            /** @description Headers of the next blocks, until 19 of 27 witnesses have built on the block */
            following: components["schemas"]["ReceiptHeader"][];
            /** @description The witnesses that were active at that time */
            witnesses: components["schemas"]["ReceiptWitness"][];
        };
        ReceiptResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Receipt"];
        };
        Token: {
            name: string;
            permissions: ("delegate" | "balance")[];
            /**
             * Format: date-time
             * @description null: the token never expires
             */
            expires_at: string | null;
            /**
             * Format: double
             * @description What orders of the token may cost together in a UTC day, by their list prices. null: no limit
             */
            daily_limit: number | null;
            /**
             * Format: double
             * @description List prices of its orders of this UTC day, held or charged
             */
            used_today: number;
            /**
             * Format: double
             * @description The part of the daily limit that is left. null: no limit
             */
            remaining_today: number | null;
            /**
             * Format: double
             * @description What each order may cost. null: no limit
             */
            max_cost: number | null;
            /** @description The only addresses that the token may order for and look up. null: all */
            receivers: string[] | null;
            /** @description The only networks that the token may be used from. null: all */
            ips: string[] | null;
            /** @description Calls a minute that all tokens of the account may make together */
            rate_limit_per_minute: number;
        };
        TokenResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Token"];
        };
        Balance: {
            /**
             * Format: double
             * @description What can be spent: the balance less what open orders hold
             */
            balance: number;
            /**
             * Format: date-time
             * @description When the balance last changed
             */
            updated_at: string;
        };
        BalanceResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Balance"];
        };
        /** @enum {string} */
        DepositAsset: "TRX" | "USDT";
        DepositAddress: {
            /** @description The caller's own address, which never changes */
            address: string;
            /**
             * Format: double
             * @description Minimum in TRX. A smaller payment is not credited
             */
            minimum: number;
            /**
             * Format: double
             * @description Minimum in USDT. A smaller payment is not credited
             */
            minimum_usdt: number;
            /**
             * Format: double
             * @description Present rate. null: USDT waits for an operator
             */
            trx_per_usdt: number | null;
            assets: components["schemas"]["DepositAsset"][];
        };
        DepositAddressResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["DepositAddress"];
        };
        /** @enum {string} */
        DepositState: "seen" | "credited" | "too_small" | "waiting" | "dropped";
        Deposit: {
            /** Format: uuid */
            id: string;
            /** @description Transaction of the payment. null: a contract paid, and an operator credited it */
            txid: string | null;
            /** @description Position of the transfer in its transaction */
            index: number | null;
            /** @description Deposit address that received the payment */
            address: string;
            asset: components["schemas"]["DepositAsset"];
            /**
             * Format: double
             * @description Amount in units of the asset
             */
            amount: number;
            /**
             * Format: double
             * @description TRX by which the balance grew
             */
            credited: number | null;
            /**
             * Format: double
             * @description TRX for 1 USDT, as it was when the block was made
             */
            rate: number | null;
            state: components["schemas"]["DepositState"];
            /** @description Blocks since the payment, including its own */
            confirmations: number;
            /** Format: date-time */
            seen_at: string;
            /** Format: date-time */
            credited_at: string | null;
        };
        DepositPage: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Deposit"][];
        };
        QuotedTransfer: {
            /**
             * Format: int64
             * @description Energy that the transfer takes, the penalty included
             */
            energy: number;
            /**
             * Format: int64
             * @description Part of that energy that the network adds because the contract of the token is used heavily
             */
            penalty: number;
            /** @description Whether the transfer would succeed now, according to the node */
            succeeds: boolean;
        };
        Quote: {
            receiver_address: string;
            /** @description The receiver exists on the chain */
            activated: boolean;
            /** @description The receiver is a contract, which cannot receive energy */
            contract: boolean;
            /**
             * Format: int64
             * @description Energy that the receiver could use now
             */
            energy_available: number;
            /**
             * Format: int64
             * @description Energy of an order of this amount, capped at 9223372036854775807, which no wallet has
             */
            energy: number;
            /**
             * Format: double
             * @description Transactions to order, rounded up to thousandths. 0 when nothing is missing
             */
            amount: number;
            /**
             * Format: double
             * @description What the order would cost now, without the activation
             */
            cost: number;
            /**
             * Format: double
             * @description What the activation of the receiver would cost in addition
             */
            activation_cost: number;
            /** @description null: neither quota nor balance covers the order */
            paid_by: components["schemas"]["Payer"] | null;
            /** @description Quota or balance covers the order with its activation, and the limits of the token allow it */
            payable: boolean;
            /** @description One wallet can delegate this energy now */
            available: boolean;
            /**
             * Format: double
             * @description The largest amount that one wallet can delegate now
             */
            largest_amount: number;
            /**
             * Format: double
             * @description What the network would burn as TRX without an order, at its present energy price
             */
            burn_cost: number;
            /** @description Only with `to` */
            transfer?: components["schemas"]["QuotedTransfer"];
            /** Format: date-time */
            quoted_at: string;
        };
        QuoteResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Quote"];
        };
        Liveness: {
            /** @enum {string} */
            status: "ok";
        };
        ReadinessChecks: {
            /** @enum {string} */
            database: "ok" | "failed";
            /** @enum {string} */
            migrations: "ok" | "failed";
            /** @enum {string} */
            node: "ok" | "failed";
            /**
             * @description Only if SIGNER_URL is set: whether the signer signs for a wallet, or a wallet delegates without it
             * @enum {string}
             */
            signer?: "ok" | "failed";
            /**
             * @description Only with deposits on: whether the service still has to search blocks of an interruption for deposits. Orders do not wait for that
             * @enum {string}
             */
            deposits?: "ok" | "behind";
        };
        Readiness: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            checks: components["schemas"]["ReadinessChecks"];
            /** @description Why the service cannot rely on the chain or the database */
            reason?: string;
        };
        /** @description The body of every failure. Programs read the error code in X-Error-Code. */
        Error: {
            /** @description Always false */
            success: boolean;
            /** @description A fixed sentence. Programs decide by X-Error-Code instead */
            error: string;
            /** @description With status 400: what is wrong with each field, in English */
            details?: {
                [key: string]: string[];
            };
            /**
             * Format: double
             * @description Only on the delegate route in variant B. Always 0, because a failure is never charged
             */
            cost?: number;
        };
        /** @enum {string} */
        OrderEventType: "delegation.included" | "delegation.delegated" | "delegation.failed" | "delegation.reclaimed";
        /** @description Event about an order */
        OrderEvent: {
            type: components["schemas"]["OrderEventType"];
            /**
             * Format: date-time
             * @description When the event happened
             */
            timestamp: string;
            /** @description The order as it was when the event happened */
            data: components["schemas"]["Order"];
        };
        /** @enum {string} */
        DepositEventType: "deposit.seen" | "deposit.credited" | "deposit.waiting";
        /** @description Event about a deposit */
        DepositEvent: {
            type: components["schemas"]["DepositEventType"];
            /**
             * Format: date-time
             * @description When the event happened
             */
            timestamp: string;
            /** @description The deposit as it was when the event happened */
            data: components["schemas"]["Deposit"];
        };
        LowBalance: {
            /**
             * Format: double
             * @description What can be spent. Less than 0 if more is held than the account has
             */
            available: number;
            /** Format: double */
            threshold: number;
        };
        /** @description Event about a low balance */
        LowBalanceEvent: {
            /** @enum {string} */
            type: "balance.low";
            /**
             * Format: date-time
             * @description When the event happened
             */
            timestamp: string;
            data: components["schemas"]["LowBalance"];
        };
        TestedWebhook: {
            /** Format: uuid */
            webhook_id: string;
        };
        /** @description Event of a requested test */
        TestEvent: {
            /** @enum {string} */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When the event happened
             */
            timestamp: string;
            data: components["schemas"]["TestedWebhook"];
        };
        OrderFilter: {
            txid?: string;
            idempotency_key?: string;
            state?: components["schemas"]["OrderState"];
            receiver_address?: string;
            /**
             * Format: uuid
             * @description Id of an order: lists only older ones
             */
            before?: string;
            /** @description Orders in a page, 20 by default */
            limit?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
