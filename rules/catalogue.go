package rules

import (
	"slices"

	"github.com/turnlint/turnlint/session"
)

// catalogue lists every rule by id.
var catalogue = []*Rule{
	NotALog,
	NoHeader,
	HeaderFrame,
	ForeignBytes,
	ReservedBit,
	ReservedBlock,
	FrameChecksum,
	FrameData,
	FrameLimits,
	TornFrame,
	HiddenFrames,
	SearchCapped,
	WrongName,
	NoChecksum,
	SplitRecord,

	HeaderJSON,
	HeaderShape,
	HeaderRetired,
	UndecodableLine,
	BlankLine,
	NulRun,
	ByteOrderMark,
	NullLine,
	NotAnObject,
	MalformedRow,
	TornLine,
	MissingNewline,
	LineTooLong,
	CRLF,
	OuterWhitespace,
	GluedRecords,
	PartialRecord,

	SeqGap,
	SeqRepeat,
	SeqMissing,
	EventsDropped,
	TimeBackwards,
	StaleEndSeed,
	RepairClosers,
	StaleDeltas,
	ForkedLog,
	SeqRegressed,
	StaleTail,

	EventOutsideTurn,
	TurnNested,
	TurnEndUnmatched,
	TurnNumber,
	TurnRepeated,
	TurnEndInStep,
	StepOrder,
	EventMisplaced,
	ResultWithoutCall,
	CallWithoutResult,
	OpenTurn,
	UnclosableTurn,
	MixedDialects,
	TurnDataMissing,
	BracketUnopened,
	BracketReopened,
	BracketUnclosed,
	CompactionOrder,
	PluginMisplaced,

	NonFiniteLiteral,
	NegativeZero,
	NumberOverflow,
	NumberUnderflow,
	ImpreciseNumber,
	NonCanonicalNumber,
	DuplicateKey,
	LoneSurrogate,
	InvalidUTF8,
	ProtoKey,
	DeepNesting,
	IndexKey,
	ForeignWriter,

	Envelope,
	UnknownType,
	RetiredVocabulary,
	LegacyShape,
	TurnEndData,
	MessageShape,
	RequestHeader,
	HeaderField,
	NullMember,
	UnknownIgnorable,
	CallInUserMessage,
	EventData,

	SurfaceMarker,
	SurfaceRange,
	SurfaceSources,
	ResultReplacement,
	InboxSplice,
	EventReference,
	SeedLength,

	UnusableIdentity,
	MisplacedLog,
	IDMismatch,
	MixedEncodings,
	FlatLog,
	DuplicateSession,
	ListingBlocked,
	StrayCopy,
	StrayTemporary,
	MkdirLeftover,
	LinkedDirectory,
	SessionWithoutLog,
	GenerationMismatch,
	HiddenPredecessor,
	ShadowedGeneration,
	MigrationTemporary,
	LockDirectory,

	NotAStore,
	StoreVersion,
	StoreSchema,
	StoreIdentity,
	DatabaseDamaged,
	HeaderRow,
	UndecodableRow,
	ColumnValue,
	OrphanedRows,
	DuplicateRow,
	LastRevision,

	NewerFormat,
	OlderFormat,
	GenerationRule,

	DescriptorVersion,
	SourceKind,
	ContentKind,
	TypeNotUpgraded,
	SurfaceBeforeStep,
	SurfaceNotUpgraded,
	ChunkProvenance,
	TurnBoundary,
	UnsettledCall,
	InboxMessage,
	DeliveryMarker,
	SubagentCatalog,
	PayloadMembers,
	UpgradeRefused,
	UpgradeLoses,
	UnreadSubagent,
}

// All returns every rule in the order of its ids.
func All() []*Rule { return slices.Clone(catalogue) }

// ByID returns the rule with an id such as "TL301", or nil.
func ByID(id string) *Rule {
	return find(func(r *Rule) bool { return r.ID == id })
}

// ByName returns the rule with a name such as "seq-gap", or nil.
func ByName(name string) *Rule {
	return find(func(r *Rule) bool { return r.Name == name })
}

func find(is func(*Rule) bool) *Rule {
	if i := slices.IndexFunc(catalogue, is); i >= 0 {
		return catalogue[i]
	}
	return nil
}

// rulesAbout has the rules of onEvent for each type.
var rulesAbout = func() (about [256][]*Rule) {
	for kind := range about {
		for _, r := range rulesOf[onEvent] {
			if len(r.of) == 0 || slices.Contains(r.of, session.Type(kind)) {
				about[kind] = append(about[kind], r)
			}
		}
	}
	return about
}()

// rulesOf has the rules of each phase.
var rulesOf = func() (by [numPhases][]*Rule) {
	for _, r := range catalogue {
		if r.check != nil {
			by[r.on] = append(by[r.on], r)
		}
	}
	return by
}()
