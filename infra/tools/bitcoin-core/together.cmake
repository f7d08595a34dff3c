# Compiles up to twelve files of Bitcoin Core at a time, so that their headers are read once: half the time.
# CMake includes this at the end of Bitcoin Core's `project()`, before its libraries exist.
function(compile_together)
    set_target_properties(bitcoin_util bitcoin_consensus bitcoin_common bitcoin_node PROPERTIES
        UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    # Their names clash with those of other files.
    set_source_files_properties(src/index/coinstatsindex.cpp src/node/chainstate.cpp
        TARGET_DIRECTORY bitcoin_node PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
cmake_language(DEFER CALL compile_together)
